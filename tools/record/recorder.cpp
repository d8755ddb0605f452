#include "record/recorder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <ostream>

#include "machine.hpp"
#include "process/children.hpp"
#include "record/budget.hpp"
#include "record/cool_down.hpp"
#include "record/duration.hpp"
#include "record/join.hpp"
#include "record/lanes.hpp"
#include "record/one_run.hpp"
#include "record/output_files.hpp"
#include "record/pilot.hpp"
#include "record/process.hpp"
#include "record/progress.hpp"
#include "record/start.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

Error interruption(const fs::path& folder) {
  return Error{"interrupted; what is recorded in '" + folder.string() + "' is intact", Exit::kInterrupted}
      .at(folder.string())
      .advise("rerun the same command to resume");
}

constexpr std::chrono::seconds kLeftBehindGrace{5};

class Recorder {
 public:
  Recorder(const Design& design, const RecordOptions& options, const std::atomic<bool>& stop, std::ostream& out)
      : design_(design),
        options_(options),
        stop_(stop),
        out_(out),
        line_(out, options.live, options.columns, options.quiet),
        budget_(options.budget_seconds, design.gpus_at_once()),
        cool_down_(stop) {
    open_.assign(design.cells().size(), 1);
  }

  Result<RecordResult> record() {
    Result<StartedRecording> started = start_recording(design_, options_, stop_, out_);
    if (!started) return started.error();
    folder_ = std::move(started->folder);
    journal_.emplace(std::move(started->journal));
    files_.emplace(folder_.path, *journal_, design_.name);
    state_ = std::move(started->state);
    shop_ = {folder_.path, &*journal_, &mutex_, &design_, &stop_, design_.timeout_seconds.value_or(0), &state_.steps};
    if (const Status chosen = choose_steps(shop_, options_, state_, out_); !chosen) return chosen.error();
    budget_.begin(state_.gpu_seconds / static_cast<double>(design_.gpus_at_once()));
    const Status done = all_blocks();
    line_.end();
    if (!done) {
      static_cast<void>(files_->write());
      return done.error();
    }
    if (const Status written = files_->write(); !written) return written.error();
    result_.folder = folder_.path;
    result_.ended = ended_.value_or("");
    for (const auto& [id, run] : state_.runs) result_.failed += run.outcome != Outcome::kOk ? 1U : 0U;
    return result_;
  }

 private:
  /// A block whose runs are to be made.
  struct PlannedBlock {
    std::size_t number, replicate;
    std::vector<std::string> order;
  };

  /// Records one block of a design whose other blocks are recorded elsewhere.
  Status only_block() {
    done_blocks_ = options_.block;
    const Result<std::optional<PlannedBlock>> block = begin_block(options_.block, options_.block);
    if (!block) return block.error();
    std::vector<PlannedBlock> round;
    if (*block) round.push_back(**block);
    if (const Status done = run_round(round); !done) return done;
    ended_ = "block " + std::to_string(options_.block) + " is recorded";
    return journal_->write(
        event::BlockEnded{time_stamp(), options_.block, host_name(), visible_gpus(conditions_now())});
  }

  Status all_blocks() {
    if (options_.block > 0) return only_block();
    const std::size_t most = most_blocks();
    std::size_t number = 0;
    std::vector<PlannedBlock> round;
    for (auto& [block, made] : state_.blocks) {
      number = std::max(number, block);
      if (made.epoch != state_.epoch) continue;
      round.push_back({block, ++done_blocks_, made.order});
      if (round.size() < design_.gpus_at_once()) continue;
      if (const Status done = run_round(round); !done) return done;
    }
    if (const Status done = run_round(round); !done) return done;
    if (done_blocks_ > 0) {
      if (const Status looked = look_after(number); !looked) return looked;
    }
    while (done_blocks_ < most && !ended_ && next_block_fits(number + 1)) {
      const double before = budget_.spent();
      const std::size_t made = state_.runs.size();
      while (round.size() < design_.gpus_at_once() && done_blocks_ < most) {
        Result<std::optional<PlannedBlock>> block = begin_block(number + 1, done_blocks_ + 1);
        if (!block) return block.error();
        if (!*block) break;
        ++number;
        ++done_blocks_;
        round.push_back(**std::move(block));
      }
      if (round.empty()) break;
      if (const Status done = run_round(round); !done) return done;
      if (budget_.is_spent()) {
        ended_ = budget_.text() + " is spent";
        break;
      }
      if (const Status looked = look_after(number); !looked) return looked;
      budget_.end_round(before, state_.runs.size() - made);
    }
    if (!ended_) ended_ = "all " + std::to_string(done_blocks_) + " blocks are recorded";
    if (!last_look_ || last_look_->ended) return ok();
    last_look_->time = time_stamp();
    last_look_->ended = ended_;
    return journal_->write(*last_look_);
  }

  /// Records the blocks, in parallel on different GPUs; empties the list. A GPU has one block at a time, even if an
  /// earlier recorder left them in another order.
  Status run_round(std::vector<PlannedBlock>& blocks) {
    while (!blocks.empty()) {
      std::vector<PlannedBlock> now, later;
      for (PlannedBlock& block : blocks) {
        const auto same_gpu = [&](const PlannedBlock& other) {
          return &gpu_of(design_, other.number) == &gpu_of(design_, block.number);
        };
        (std::ranges::any_of(now, same_gpu) ? later : now).push_back(std::move(block));
      }
      std::vector<std::function<Status()>> lanes;
      for (const PlannedBlock& block : now) {
        lanes.emplace_back([this, &block] {
          const Status done = run_block(block);
          if (!done) failed_ = true;
          return done;
        });
      }
      Status done = at_once(lanes);
      paused_ = false;
      if (design_.at_once) {
        if (const Status ended = end_left_behind(now); !ended) return ended;
      }
      if (!done) return done;
      blocks = std::move(later);
    }
    return ok();
  }

  /// Ends processes left by concurrent runs whose session and environment do not identify their run.
  Status end_left_behind(const std::vector<PlannedBlock>& round) {
    const std::size_t left = process::end_orphans(kLeftBehindGrace) + end_marked(folder_.path.string());
    if (left == 0) return ok();
    std::vector<std::size_t> blocks;
    for (const PlannedBlock& block : round) blocks.push_back(block.number);
    line_.print("  the runs of this round left " + left_behind_text(left));
    return journal_->write(event::ProcessesLeftBehind{time_stamp(), blocks, left});
  }

  [[nodiscard]] std::size_t most_blocks() const { return options_.until_decided ? design_.most : design_.replicates; }

  /// No block begins that would not end within the budget. Blocks have fewer runs once values dropped out.
  bool next_block_fits(std::size_t number) {
    const auto runs = std::ranges::count(taking_part(gpu_of(design_, number).cells), 1);
    const double each = budget_.block_seconds(runs, state_.runs.size());
    if (budget_.holds(each)) return true;
    ended_ = budget_.text() + " holds no further block, which takes about " + duration_text(each);
    return false;
  }

  /// By cell: 1 if it has a run in the next block.
  [[nodiscard]] std::vector<char> taking_part(const std::vector<Cell>& cells) const {
    std::vector<char> takes_part(cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t blocks = options_.until_decided ? cells[c].most : cells[c].least;
      const bool wanted = open_[c] != 0 && done_blocks_ <= blocks && !state_.stopped.contains(cells[c].key);
      takes_part[c] = cells[c].twin || wanted ? 1 : 0;
    }
    return takes_part;
  }

  /// Journals the order of a block's runs; empty if no claim needs any of them.
  Result<std::optional<PlannedBlock>> begin_block(std::size_t number, std::size_t replicate) {
    const std::vector<Cell>& cells = gpu_of(design_, number).cells;
    const std::vector<char> takes = taking_part(cells);
    if (std::find(takes.begin(), takes.end() - 1, 1) == takes.end() - 1) return std::optional<PlannedBlock>();
    std::vector<std::string> keys;
    for (const std::size_t c : order_of(design_, number, takes)) keys.push_back(cells[c].key);
    const Status written = journal_->write(event::Block{time_stamp(), number, gpu_of(design_, number).gpu, keys});
    if (!written) return written.error();
    state_.blocks[number] = {state_.epoch, keys};
    return std::optional(PlannedBlock{number, replicate, std::move(keys)});
  }

  Status run_block(const PlannedBlock& block) {
    const GpuCells& gpu = gpu_of(design_, block.number);
    if (const Status heated = heat_up(block, gpu); !heated) return heated;
    for (std::size_t position = 1; position <= block.order.size(); ++position) {
      const auto at =
          std::ranges::find_if(gpu.cells, [&](const Cell& cell) { return cell.key == block.order[position - 1]; });
      if (at == gpu.cells.end()) continue;
      if (const Status done = run_cell(*at, gpu.gpu, block, position); !done) return done;
    }
    return ok();
  }

  /// The GPU cooled down while claims were judged: a discarded run, so that the first run of the block is not measured
  /// colder than the rest.
  Status heat_up(const PlannedBlock& block, const GpuCells& gpu) {
    const auto at = std::ranges::find_if(gpu.cells, [&](const Cell& cell) { return cell.key == block.order.front(); });
    if (!paused_ || at == gpu.cells.end()) return ok();
    const Result<Attempt> made = warm_up(shop_, *at, gpu.gpu, "before_" + block_name(block.number));
    if (!made) return made.error();
    return made->outcome == Outcome::kInterrupted ? Status(interruption(folder_.path)) : ok();
  }

  /// Repeats until success or until retries are used up.
  Status run_cell(const Cell& cell, const std::string& gpu, const PlannedBlock& block, std::size_t position) {
    const std::size_t retries = design_.experiment(cell).retries;
    RunRecord& run = run_of(cell, block.number);
    if (options_.retry_failed && run.is_final(retries) && *run.outcome != Outcome::kOk) run.counted = 0;
    while (!run.is_final(retries) && !failed_ && !budget_.is_spent()) {
      if (stop_) return interruption(folder_.path);
      if (const Status room = check_room(folder_.path); !room) return room;
      if (const Status warmed = warm(cell, gpu); !warmed) return warmed;
      if (!cool_down_.wait(design_.experiment(cell).cooldown, gpu)) return interruption(folder_.path);
      ++run.attempts;
      const Result<Attempt> made =
          attempt(shop_, {&cell, gpu, block.number, position, run.attempts, state_.epoch, block.replicate});
      if (!made) return made.error();
      if (const Status taken = add_attempt(*made, run, block, position); !taken) return taken;
    }
    return ok();
  }

  /// Record of a run, with a stable address.
  RunRecord& run_of(const Cell& cell, std::size_t block) {
    const std::scoped_lock lock(mutex_);
    RunRecord& run = state_.runs[run_id(cell, block)];
    run.id = run_id(cell, block);
    return run;
  }

  Status add_attempt(const Attempt& made, RunRecord& run, const PlannedBlock& block, std::size_t position) {
    const std::scoped_lock lock(mutex_);
    ++result_.made;
    state_.gpu_seconds += made.seconds;
    if (made.outcome == Outcome::kInterrupted) return interruption(folder_.path);
    run.outcome = made.outcome;
    run.seconds = made.seconds;
    ++run.counted;
    report_run(run, made, block, position);
    if (const Status written = files_->write_when_due(); !written) return written;
    if (made.outcome == Outcome::kDiskFull) {
      return Error{"the disk of '" + folder_.path.string() + "' is full", Exit::kFailed}
          .at(folder_.path.string())
          .advise(std::string(advice_for(Outcome::kDiskFull)));
    }
    return ok();
  }

  Status warm(const Cell& cell, const std::string& gpu) {
    const std::string key = gpu + " " + cell.key;
    const std::size_t runs = design_.experiment(cell).warmup;
    if (runs == 0 || cell.twin) return ok();
    {
      const std::scoped_lock lock(mutex_);
      if (std::ranges::find(state_.warmed, key) != state_.warmed.end()) return ok();
    }
    for (std::size_t n = 1; n <= runs; ++n) {
      const Result<Attempt> made = warm_up(shop_, cell, gpu, std::to_string(n));
      if (!made) return made.error();
      if (made->outcome == Outcome::kInterrupted) return interruption(folder_.path);
    }
    const std::scoped_lock lock(mutex_);
    state_.warmed.push_back(key);
    return journal_->write(event::CellWarmed{time_stamp(), key});
  }

  /// Interim judgement after a block. With --until-decided, once the planned blocks are done: judges the claims.
  /// Without it, while blocks remain: only stops cells that their traces contradict. After the first block of each GPU
  /// decides nothing, but reports what further blocks will not change.
  Status look_after(std::size_t block) {
    const bool all_asked_for = done_blocks_ >= design_.replicates;
    const bool first = !checked_ && done_blocks_ >= design_.gpus.size();
    const bool due = options_.until_decided ? all_asked_for || first : !all_asked_for;
    if (!options_.judge || !due) return ok();
    if (const Status written = files_->write(); !written) return written;  // read by the judge
    line_.clear();
    const Result<InterimLook> seen = options_.judge(folder_.path);
    paused_ = true;
    if (!seen) {
      if (stop_) return interruption(folder_.path);
      line_.print(fmt::format("  look after block {}: {}", block, seen.error().sentence), true);
      return ok();
    }
    if (first) check(block, *seen);
    if (const Status stopped = stop_contradicted(*seen); !stopped) return stopped;
    return options_.until_decided && (all_asked_for || ended_) ? look(block, *seen) : ok();
  }

  /// Reports problems of the runs themselves, once. Ends the recording if no claim can be tested and no run failed (a
  /// failed run may succeed when repeated).
  void check(std::size_t block, const InterimLook& seen) {
    checked_ = true;
    const double runs = static_cast<double>(std::max<std::size_t>(1, state_.runs.size()));
    for (const std::string& trouble : troubles_of(seen, state_.gpu_seconds / runs))
      line_.print(fmt::format("  after block {}: {}", block, trouble));
    const bool all_ran =
        std::ranges::all_of(state_.runs, [](const auto& run) { return run.second.outcome == Outcome::kOk; });
    if (std::string why = all_ran ? why_untestable(seen) : ""; !why.empty()) ended_ = std::move(why);
  }

  /// Journals the state of the claims, and closes cells that no claim needs.
  Status look(std::size_t block, const InterimLook& seen) {
    const std::size_t most = budget_.blocks(done_blocks_, design_.most);
    if (std::string why = ended_ ? "" : why_ended(seen, most); !why.empty()) ended_ = std::move(why);
    const bool is_news = !last_look_ || decided_in(*last_look_) != decided_in(seen);
    last_look_ = event::LookTaken{time_stamp(), block, claims_event(seen, most), state_.gpu_seconds, ended_};
    if (const Status written = journal_->write(*last_look_); !written) return written;
    // On a terminal the line of progress says the rest, and in the end last_answer does.
    if (!ended_ && (options_.live == nullptr || is_news))
      line_.print(fmt::format("  look after block {}:{}", block, answer_text(seen, most)));
    line_.set_standing(standing_of(seen));
    needed_ = blocks_needed(seen);
    open_ = seen.open;
    return ok();
  }

  /// Stops cells whose trace contradicts their name, so that they cost one run instead of one per block.
  Status stop_contradicted(const InterimLook& seen) {
    for (const auto& [c, why] : seen.contradicted) {
      const std::string& key = design_.cells()[c].key;
      if (!state_.stopped.emplace(key, why).second) continue;
      line_.print(fmt::format("  no more of '{}' is recorded: {}", key, why), true);
      const Status written = journal_->write(event::CellStopped{time_stamp(), key, why});
      if (!written) return written;
    }
    return ok();
  }

  void report_run(const RunRecord& run, const Attempt& made, const PlannedBlock& block, std::size_t position) {
    const std::size_t of = block.order.size();
    // Of the clock, what runs of other GPUs take meanwhile and looks included.
    const double each = budget_.spent() / static_cast<double>(std::max<std::size_t>(1, state_.runs.size()));
    const std::size_t wanted = std::max(design_.replicates, std::min(needed_, most_blocks()));
    const std::size_t blocks = wanted > done_blocks_ ? wanted - done_blocks_ : 0;
    const auto runs_left = static_cast<double>((of - position) * design_.gpus_at_once() + blocks * of);
    line_.run_ended(run.id, made,
                    {block.number, most_blocks(), position, of, budget_.of_rest(each * runs_left),
                     options_.until_decided && needed_ == 0, options_.until_decided});
  }

  const Design& design_;
  const RecordOptions& options_;
  const std::atomic<bool>& stop_;
  std::ostream& out_;
  ProgressLine line_;
  Budget budget_;
  Folder folder_;
  std::optional<Journal> journal_;
  std::optional<OutputFiles> files_;
  State state_;
  RecordContext shop_{};
  RecordResult result_;
  std::optional<std::string> ended_;  ///< why the recording ends; empty: it goes on
  std::vector<char> open_;
  CoolDown cool_down_;
  std::mutex mutex_;                 ///< guards journal, state, result and output
  std::atomic<bool> failed_{false};  ///< a block ended with an error, so no other starts a run
  bool paused_ = false;              ///< claims were judged since the last round of blocks
  bool checked_ = false;             ///< the first look was taken
  std::optional<event::LookTaken> last_look_;
  std::size_t needed_ = 0;  ///< blocks in all that the last look gave for open claims; 0: not known
  std::size_t done_blocks_ = 0;
};

}  // namespace

Result<RecordResult> record(const Design& design, const RecordOptions& options, const std::atomic<bool>& stop,
                            std::ostream& out) {
  return Recorder(design, options, stop, out).record();
}

}  // namespace assay::record
