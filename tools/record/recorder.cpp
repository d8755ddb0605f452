#include "record/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <ostream>

#include "config/duration.hpp"
#include "machine.hpp"
#include "process/children.hpp"
#include "record/budget.hpp"
#include "record/cool_down.hpp"
#include "record/join.hpp"
#include "record/lanes.hpp"
#include "record/one_run.hpp"
#include "record/process.hpp"
#include "record/progress.hpp"

namespace assay::record {
namespace fs = std::filesystem;
namespace {

Error interruption(const fs::path& folder) {
  return Error{"interrupted; what is recorded in '" + folder.string() + "' is intact", Exit::kInterrupted}
      .at(folder.string())
      .advise("rerun the same command to resume");
}

constexpr std::chrono::seconds kLeftBehindGrace{5};

bool is_final(const RunRecord& run, std::size_t retries) {
  return run.outcome && (*run.outcome == Outcome::kOk || run.counted > retries);
}

class Recorder {
  using Clock = std::chrono::steady_clock;

 public:
  Recorder(const Design& design, const RecordOptions& options, const std::atomic<bool>& stop, std::ostream& out)
      : design_(design),
        options_(options),
        stop_(stop),
        out_(out),
        line_(out, options.live, options.columns, options.quiet),
        budget_(options.budget_seconds),
        cool_down_(observer_, stop) {
    const std::vector<Cell>& cells = design.cells();
    open_.assign(cells.size(), 1);
  }

  Result<RecordResult> record() {
    if (const Status ready = check_programs(design_); !ready) return ready.error();
    Result<Folder> folder = choose_folder(options_.root, design_.name, options_.fresh || options_.block > 0);
    if (!folder) return folder.error();
    folder_ = std::move(*folder);
    process::adopt_orphans();
    end_marked(folder_.path.string());
    if (const Status begun = begin(); !begun) return begun.error();
    shop_ = {folder_.path, &*journal_, &mutex_, &observer_, &design_, &stop_, timeout_seconds(), state_.reports};
    budget_.begin(state_.gpu_seconds / static_cast<double>(design_.gpus_at_once()));
    const Status done = all_blocks();
    line_.end();
    if (!done) {
      static_cast<void>(write_files());
      return done.error();
    }
    if (const Status written = write_files(); !written) return written.error();
    result_.folder = folder_.path;
    for (const auto& [id, run] : state_.runs) result_.failed += run.outcome != Outcome::kOk ? 1U : 0U;
    return result_;
  }

 private:
  [[nodiscard]] double timeout_seconds() const { return design_.timeout_seconds.value_or(0); }

  Status write_files() {
    const Clock::time_point begun = Clock::now();
    Status written = write_outputs(folder_.path, journal_->events(), design_.name);
    written_ = Clock::now();
    writing_ = written_ - begun;
    return written;
  }

  /// These files are made of the whole journal, which is the truth: written after every run they would take the square
  /// of the runs. So they may lag behind it, for so long that writing takes at most a twentieth of the time.
  Status write_files_when_due() {
    constexpr int kShare = 20;
    return Clock::now() - written_ < kShare * writing_ ? ok() : write_files();
  }

  /// Reads what has been done, and refuses to mix it with what would not be the same.
  Status begin() {
    Result<Events> events = read_whole_journal(folder_.path);
    if (!events) return events.error();
    state_ = state_of(*events);
    const Identity now = identity_of(design_, observer_.look());
    std::map<std::string, std::string> commands;
    for (const GpuCells& gpu : design_.gpus) {
      for (const Cell& cell : gpu.cells) commands[gpu.gpu + " " + cell.key] = quoted(cell.command.words);
    }
    if (const std::string differs = what_differs(state_, now, commands); !differs.empty() && !options_.new_epoch) {
      return Error{"the recording in '" + folder_.path.string() + "' was started differently: " + differs}
          .at(folder_.path.string())
          .advise("record with --new-epoch to continue in separate blocks, or with --fresh to start over");
    }
    if (const Status room = check_room(folder_.path); !room) return room;
    if (const Status checked = run_checks(design_, folder_.path, stop_); !checked) return checked;
    Result<Journal> journal = Journal::open(folder_.path, *std::move(events));
    if (!journal) return journal.error();
    journal_.emplace(std::move(*journal));
    const bool epoch = state_.epoch > 0 && options_.new_epoch && !what_differs(state_, now, commands).empty();
    if (const Status written = journal_->write(first_event(epoch, now, commands)); !written) return written;
    if (state_.epoch == 0 || epoch) ++state_.epoch;
    if (epoch) state_.warmed.clear();
    if (!options_.quiet) {
      out_ << (folder_.fresh ? "Recording into " : "Resuming ") << folder_.path.string() << "\n";
      if (design_.gpus_at_once() > 1) {
        out_ << design_.gpus_at_once() << " GPUs at once: their runs share the CPUs and memory of this host, which "
             << "slows runs that depend on them; each block stays on one GPU.\n";
      }
      if (state_.cut_off > 0) out_ << "The journal has " << state_.cut_off << " line(s) that were cut off.\n";
    }
    return ok();
  }

  /// With which this recorder begins: the recording, an epoch of it, or going on with it.
  Event first_event(bool epoch, const Identity& now, const std::map<std::string, std::string>& commands) const {
    const Texts texts(commands.begin(), commands.end());
    if (state_.epoch == 0)
      return event::Begin{time_stamp(), options_.version, 1, design_event(design_, options_), now, texts, std::nullopt};
    if (epoch) return event::Epoch{time_stamp(), options_.version, state_.epoch + 1, now, texts};
    return event::Resume{time_stamp(), options_.version, state_.epoch};
  }

  /// A block whose runs are to be made.
  struct PlannedBlock {
    std::size_t number, replicate;
    std::vector<std::string> order;
  };

  /// One block of a design of which others are recorded elsewhere.
  Status only_block() {
    done_blocks_ = options_.block;
    const Result<std::vector<std::string>> order = begin_block(options_.block);
    if (!order) return order.error();
    std::vector<PlannedBlock> round = {{options_.block, options_.block, *order}};
    if (const Status done = order->empty() ? ok() : one_round(round); !done) return done;
    result_.ended = "block " + std::to_string(options_.block) + " is recorded";
    return journal_->write(event::BlockEnd{time_stamp(), options_.block, host_name(), visible_gpus(observer_.look())});
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
      if (const Status done = one_round(round); !done) return done;
    }
    if (const Status done = one_round(round); !done) return done;
    if (done_blocks_ > 0) {
      if (const Status looked = look_after(number); !looked) return looked;
    }
    while (done_blocks_ < most && result_.ended.empty() && next_block_fits()) {
      const double before = budget_.spent();
      while (round.size() < design_.gpus_at_once() && done_blocks_ < most) {
        ++number;
        ++done_blocks_;
        Result<std::vector<std::string>> order = begin_block(number);
        if (!order) return order.error();
        if (order->empty()) {
          --number;
          --done_blocks_;
          break;
        }
        round.push_back({number, done_blocks_, *std::move(order)});
      }
      if (round.empty()) break;
      if (const Status done = one_round(round); !done) return done;
      if (budget_.is_spent()) {
        result_.ended = budget_.text() + " is spent";
        break;
      }
      if (const Status looked = look_after(number); !looked) return looked;
      last_round_ = budget_.spent() - before;
    }
    if (result_.ended.empty()) result_.ended = "all " + std::to_string(done_blocks_) + " blocks are recorded";
    if (!last_look_ || last_look_->ended) return ok();
    last_look_->time = time_stamp();
    last_look_->ended = result_.ended;
    return journal_->write(*last_look_);
  }

  /// The blocks, those of different GPUs at the same time; none are left in the list. A GPU has one block at a time
  /// also where an earlier recorder left them in another order.
  Status one_round(std::vector<PlannedBlock>& blocks) {
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
          const Status done = one_block(block);
          if (!done) failed_ = true;
          return done;
        });
      }
      const Status done = at_once(lanes);
      paused_ = false;
      if (design_.at_once) {
        if (const Status ended = end_left_behind(now); !ended) return ended;
      }
      if (!done) return done;
      blocks = std::move(later);
    }
    return ok();
  }

  /// What runs on several GPUs at once left behind with neither session nor environment to tell whose it was.
  Status end_left_behind(const std::vector<PlannedBlock>& round) {
    const std::size_t left = process::end_orphans(kLeftBehindGrace) + end_marked(folder_.path.string());
    if (left == 0) return ok();
    std::vector<std::size_t> blocks;
    for (const PlannedBlock& block : round) blocks.push_back(block.number);
    line_.say("  the runs of this round left " + left_behind_text(left));
    return journal_->write(event::LeftBehind{time_stamp(), blocks, left});
  }

  [[nodiscard]] std::size_t most_blocks() const { return options_.until_decided ? design_.most : design_.replicates; }

  /// No block begins that would not end within the budget, by what a round of them took so far: looks take longer with
  /// each one.
  bool next_block_fits() {
    const std::size_t rounds = (done_blocks_ + design_.gpus_at_once() - 1) / design_.gpus_at_once();
    const double each = rounds == 0 ? 0 : std::max(last_round_, budget_.spent() / static_cast<double>(rounds));
    if (budget_.holds(each)) return true;
    result_.ended = budget_.text() + " holds no further block, which takes about " + duration_text(each);
    return false;
  }

  Result<std::vector<std::string>> begin_block(std::size_t number) {
    const std::vector<Cell>& cells = gpu_of(design_, number).cells;
    std::vector<char> takes_part(cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t blocks = options_.until_decided ? cells[c].most : cells[c].least;
      const bool wanted = open_[c] != 0 && done_blocks_ <= blocks && state_.stopped.count(cells[c].key) == 0;
      takes_part[c] = cells[c].twin || wanted ? 1 : 0;
    }
    const bool any = std::any_of(takes_part.begin(), takes_part.end() - 1, [](char takes) { return takes != 0; });
    std::vector<std::string> keys;
    if (!any) return keys;
    for (const std::size_t c : order_of(design_, number, takes_part)) keys.push_back(cells[c].key);
    const Status written = journal_->write(event::Block{time_stamp(), number, gpu_of(design_, number).gpu, keys});
    if (!written) return written.error();
    state_.blocks[number] = {state_.epoch, keys};
    return keys;
  }

  Status one_block(const PlannedBlock& block) {
    const GpuCells& gpu = gpu_of(design_, block.number);
    if (const Status heated = heat_up(block, gpu); !heated) return heated;
    for (std::size_t position = 1; position <= block.order.size(); ++position) {
      const auto at = std::find_if(gpu.cells.begin(), gpu.cells.end(),
                                   [&](const Cell& cell) { return cell.key == block.order[position - 1]; });
      if (at == gpu.cells.end()) continue;
      if (const Status done = one_cell(*at, gpu.gpu, block, position); !done) return done;
    }
    return ok();
  }

  /// While claims were judged the GPU cooled down: one run that is thrown away, so that the first one that counts is
  /// not measured colder than the rest of its block.
  Status heat_up(const PlannedBlock& block, const GpuCells& gpu) {
    const auto at = std::ranges::find_if(gpu.cells, [&](const Cell& cell) { return cell.key == block.order.front(); });
    if (!paused_ || at == gpu.cells.end()) return ok();
    const Result<Attempt> made = warm_up(shop_, *at, gpu.gpu, "before_" + block_name(block.number));
    if (!made) return made.error();
    return made->outcome == Outcome::kInterrupted ? Status(interruption(folder_.path)) : ok();
  }

  /// Until it has succeeded or used up its retries.
  Status one_cell(const Cell& cell, const std::string& gpu, const PlannedBlock& block, std::size_t position) {
    const std::size_t retries = design_.experiment(cell).retries;
    RunRecord& run = run_of(cell, block.number);
    if (options_.retry_failed && is_final(run, retries) && *run.outcome != Outcome::kOk) run.counted = 0;
    while (!is_final(run, retries) && !failed_ && !budget_.is_spent()) {
      if (stop_) return interruption(folder_.path);
      if (const Status room = check_room(folder_.path); !room) return room;
      if (const Status warmed = warm(cell, gpu); !warmed) return warmed;
      if (!cool_down_.wait(design_.experiment(cell).cooldown, gpu)) return interruption(folder_.path);
      ++run.attempts;
      const Result<Attempt> made =
          attempt(shop_, {&cell, gpu, block.number, position, run.attempts, state_.epoch, block.replicate});
      if (!made) return made.error();
      if (const Status taken = take(*made, run, block, position); !taken) return taken;
    }
    return ok();
  }

  /// The record of a run, which stays where it is.
  RunRecord& run_of(const Cell& cell, std::size_t block) {
    const std::scoped_lock lock(mutex_);
    RunRecord& run = state_.runs[run_id(cell, block)];
    run.id = run_id(cell, block);
    return run;
  }

  Status take(const Attempt& made, RunRecord& run, const PlannedBlock& block, std::size_t position) {
    const std::scoped_lock lock(mutex_);
    ++result_.made;
    state_.gpu_seconds += made.seconds;
    if (made.outcome == Outcome::kInterrupted) return interruption(folder_.path);
    run.outcome = made.outcome;
    run.seconds = made.seconds;
    ++run.counted;
    say(run, made, block, position);
    if (const Status written = write_files_when_due(); !written) return written;
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

  /// With --until-decided what the claims say; without it, while blocks are to come, only what the traces contradict.
  /// After the first block of each GPU nothing is decided, and it is said what no further block changes.
  Status look_after(std::size_t block) {
    const bool all_asked_for = done_blocks_ >= design_.replicates;
    const bool first = !checked_ && done_blocks_ >= design_.gpus.size();
    const bool due = options_.until_decided ? all_asked_for || first : !all_asked_for;
    if (!options_.judge || !due) return ok();
    if (const Status written = write_files(); !written) return written;  // which the judge reads
    line_.clear();
    const Result<Look> seen = options_.judge(folder_.path);
    paused_ = true;
    if (!seen) {
      if (stop_) return interruption(folder_.path);
      line_.say("  look after block " + std::to_string(block) + ": " + seen.error().sentence, true);
      return ok();
    }
    if (first) check(block, *seen);
    if (const Status stopped = stop_contradicted(*seen); !stopped) return stopped;
    return options_.until_decided && (all_asked_for || !result_.ended.empty()) ? look(block, *seen) : ok();
  }

  /// What is wrong with the runs themselves, once. Where no claim can be tested and no run failed, which a repetition
  /// might mend, no further block is recorded.
  void check(std::size_t block, const Look& seen) {
    checked_ = true;
    const double runs = static_cast<double>(std::max<std::size_t>(1, state_.runs.size()));
    std::vector<std::string> troubles = troubles_of(seen, state_.gpu_seconds / runs);
    for (const std::string& trouble : troubles) line_.say("  after block " + std::to_string(block) + ": " + trouble);
    const bool all_ran =
        std::ranges::all_of(state_.runs, [](const auto& run) { return run.second.outcome == Outcome::kOk; });
    if (all_ran) result_.ended = why_untestable(seen);
  }

  /// Journals what the claims say, and closes cells that none of them needs.
  Status look(std::size_t block, const Look& seen) {
    const std::size_t most = budget_.blocks(done_blocks_, design_.most);
    if (result_.ended.empty()) result_.ended = why_ended(seen, most);
    const std::optional<std::string> ended = result_.ended.empty() ? std::nullopt : std::optional(result_.ended);
    const bool is_news = !last_look_ || decided_in(*last_look_) != decided_in(seen);
    last_look_ = event::Look{time_stamp(), block, claims_event(seen, most), state_.gpu_seconds, ended};
    if (const Status written = journal_->write(*last_look_); !written) return written;
    // On a terminal the line of progress says the rest, and in the end last_answer does.
    if (!ended && (options_.live == nullptr || is_news))
      line_.say("  look after block " + std::to_string(block) + ":" + answer_text(seen, most));
    line_.set_standing(standing_of(seen));
    needed_ = blocks_needed(seen);
    open_ = seen.open;
    return ok();
  }

  /// A cell whose trace contradicts its name costs one run and not one a block.
  Status stop_contradicted(const Look& seen) {
    for (const auto& [c, why] : seen.contradicted) {
      const std::string& key = design_.cells()[c].key;
      if (!state_.stopped.emplace(key, why).second) continue;
      line_.say("  no more of '" + key + "' is recorded: " + why, true);
      const Status written = journal_->write(event::CellStopped{time_stamp(), key, why});
      if (!written) return written;
    }
    return ok();
  }

  void say(const RunRecord& run, const Attempt& made, const PlannedBlock& block, std::size_t position) {
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
  Observer observer_;
  Folder folder_;
  std::optional<Journal> journal_;
  State state_;
  Workshop shop_{};
  RecordResult result_;
  std::vector<char> open_;
  CoolDown cool_down_;
  std::mutex mutex_;                 ///< of the journal, the state, the result and what is printed
  std::atomic<bool> failed_{false};  ///< a block ended with an error: none of the others begins a run
  Clock::time_point written_{};      ///< when results.json and its like were
  Clock::duration writing_{};        ///< how long that took
  bool paused_ = false;              ///< claims were judged since the last round of blocks
  bool checked_ = false;             ///< the first look was taken
  std::optional<event::Look> last_look_;
  double last_round_ = 0;   ///< seconds of the last blocks with their look
  std::size_t needed_ = 0;  ///< blocks in all that the last look gave for open claims; 0: not known
  std::size_t done_blocks_ = 0;
};

}  // namespace

Result<RecordResult> record(const Design& design, const RecordOptions& options, const std::atomic<bool>& stop,
                            std::ostream& out) {
  return Recorder(design, options, stop, out).record();
}

}  // namespace assay::record
