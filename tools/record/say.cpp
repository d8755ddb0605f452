// Texts of a recording before it begins and after it ends.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <ostream>
#include <sstream>

#include "algo/noise/sequence.hpp"
#include "assay/output.hpp"
#include "assay/words.hpp"
#include "config/claim_keys.hpp"
#include "config/label_value.hpp"
#include "record/duration.hpp"
#include "record/one_run.hpp"
#include "record/recorder.hpp"
#include "record/rejections.hpp"
#include "render/text_table.hpp"

namespace assay::record {
namespace {

/// Mean seconds of the finished runs of a cell on disk, by key.
std::map<std::string, double> known_times(const std::filesystem::path& folder) {
  std::map<std::string, std::pair<double, double>> sums;
  const Result<Events> events = read_journal(folder);
  if (!events) return {};
  for (const auto& [id, run] : state_of(*events).runs) {
    if (run.outcome != Outcome::kOk) continue;
    sums[run.key].first += run.seconds;
    sums[run.key].second += 1;
  }
  std::map<std::string, double> means;
  for (const auto& [key, sum] : sums) means[key] = sum.first / sum.second;
  return means;
}

std::string folder_text(const Command& command) {
  const std::string folder = command.folder.string();
  return folder.empty() || folder == "." || folder == "./." ? "" : "cd " + quoted({folder}) + " && ";
}

std::string counted_cells(const Design& design) {
  std::string text = std::to_string(design.configurations) + " configurations";
  const std::size_t cells = design.cells().size() - 1;
  if (cells < design.configurations)
    text += ", of which " + std::to_string(design.configurations - cells) +
            " are also in another question and are run only once";
  return text;
}

/// Whether any claim is about a size, not which values are the best.
bool claims_ratios(const Design& design) {
  return std::ranges::any_of(design.questions, [](const Question* question) {
    return std::ranges::any_of(question->claims, [](const ClaimConfig& claim) {
      const ClaimShape shape = claim_shape(claim.keys);
      return shape.compare == "ratio" && !shape.exact;
    });
  });
}

/// Error level of each claim, all of a question sharing that of the question; the least of all questions.
double claim_error(const Design& design) {
  double least = 1;
  for (const Question* question : design.questions)
    least = std::min(least, (1 - question->level) / std::max(1.0, static_cast<double>(question->claims.size())));
  return least;
}

/// Seconds of a block by the last recording: the mean of known cells for those that are not; empty: none is known.
std::optional<double> block_seconds(const Design& design, const std::map<std::string, double>& known) {
  double sum = 0, count = 0;
  for (const Cell& cell : design.cells()) {
    const auto at = known.find(cell.key);
    if (at == known.end()) continue;
    sum += at->second;
    ++count;
  }
  return count > 0 ? std::optional(sum / count * static_cast<double>(design.cells().size())) : std::nullopt;
}

/// " of 3 windows each", where the questions agree.
std::string windows_text(const Design& design) {
  const std::size_t windows = design.experiments.front().windows();
  const auto agree = [&](const ExperimentSpec& experiment) { return experiment.windows() == windows; };
  return windows > 1 && std::ranges::all_of(design.experiments, agree) ? fmt::format(" of {} windows each", windows)
                                                                       : std::string();
}

}  // namespace

std::string forecast_text(const Design& design, const RecordOptions& options) {
  constexpr double kSpread = 0.02;  // of runs on an idle machine
  constexpr double kEffects[] = {0.05, 0.2, 1};
  const std::optional<double> seconds = block_seconds(design, known_times(newest_recording(options.root, design.name)));
  const auto lasts = [&](std::size_t blocks) {
    return seconds ? duration_text(*seconds * static_cast<double>(blocks)) : std::string();
  };
  std::string text =
      fmt::format("A block is {}{}{}.", counted(design.cells().size(), "run"), windows_text(design),
                  seconds ? ", about " + lasts(1) + " by the last recording" : ", their time not known yet");
  if (!claims_ratios(design)) return text;
  std::string needs;
  for (const double effect : kEffects) {
    const SequenceClaim claim{0, std::numeric_limits<double>::infinity(), 1 - claim_error(design), kUnseenShift, true};
    const std::size_t blocks =
        sequence_blocks_needed(std::log1p(effect), kSpread * std::numbers::sqrt2, claim, kMaxNeeded);
    const std::string time = lasts(blocks);
    needs += fmt::format("{}{:.0f} % {}{}", needs.empty() ? "" : ", ", 100 * effect, counted(blocks, "block"),
                         time.empty() ? "" : " (" + time + ")");
  }
  return fmt::format("{} Where runs differ by {:.0f} % an effect takes: {}.", text, 100 * kSpread, needs);
}

void print_dry_run(const Design& design, const RecordOptions& options, RowFormat format, std::ostream& to) {
  TextTable rows({{"block", true}, {"gpu"}, {"cell"}, {"expected_s", true}, {"at_most_s", true}, {"command"}});
  std::ostringstream out;
  const std::filesystem::path last = newest_recording(options.root, design.name);
  const std::map<std::string, double> known = known_times(last);
  double expected = 0, longest = 0;
  std::size_t runs = 0, unknown = 0;
  out << design.name << ": " << counted_cells(design) << ", and one base cell runs twice in each block (A/A)\n"
      << (options.until_decided
              ? fmt::format("{} to {} blocks, until every claim is decided", design.replicates, design.most)
              : std::to_string(design.replicates) + (design.replicates == 1 ? " block" : " blocks"))
      << ", " << (design.random_order ? "each in its own random order" : "in the order of the matrix") << ", seed "
      << design.seed << "\n";
  if (design.gpus.size() > 1)
    out << (design.at_once ? "All GPUs at once, one block on each.\n"
                           : "Blocks use the GPUs in turn; each block stays on one.\n");
  out << clocks_text();
  for (std::size_t block = 1; block <= design.replicates; ++block) {
    const GpuCells& gpu = gpu_of(design, block);
    std::vector<char> open;
    for (const Cell& cell : gpu.cells) open.push_back(block <= cell.least || cell.twin ? 1 : 0);
    out << "\nblock " << block << (gpu.gpu.empty() ? "" : " on GPU " + gpu.gpu) << "\n";
    for (const std::size_t c : order_of(design, block, open)) {
      const Cell& cell = gpu.cells[c];
      const Command command = placed(cell.command, {"REPORT", run_id(cell, block), block});
      std::string env;
      for (const auto& [name, value] : command.env) env += fmt::format("{}={} ", name, quoted({value}));
      out << "  " << cell.run.path();
      for (const NamedRun& other : cell.also) out << " = " << other.path();
      const auto at = known.find(cell.key);
      out << (at == known.end() ? "  (time unknown)" : "  (about " + duration_text(at->second) + ")");
      const std::string words = folder_text(command) + env + quoted(command.words);
      const double limit = design.timeout_seconds.value_or(design.experiment(cell).timeout_seconds);
      out << "\n    " << words << "\n";
      rows.row({std::to_string(block), gpu.gpu, cell.run.path(), at == known.end() ? "" : shortest(at->second),
                shortest(limit), words});
      ++runs;
      unknown += at == known.end() ? 1U : 0U;
      expected += at == known.end() ? 0 : at->second;
      longest += limit;
    }
  }
  out << "\n" << runs << " runs; ";
  if (unknown < runs)
    out << "about " << duration_text(expected * static_cast<double>(runs) / static_cast<double>(runs - unknown))
        << " by the last recording";
  else
    out << "their time is unknown before the first recording";
  out << "; at most " << duration_text(longest) << " by their time limits\n" << forecast_text(design, options) << "\n";
  if (format != RowFormat::kTable) return rows.write(to, format);
  to << out.str();
}

void print_summary(const Design& design, const std::filesystem::path& folder, std::ostream& out) {
  const Result<Events> events = read_journal(folder);
  if (!events) return;
  struct Row {
    std::size_t done = 0, failed = 0;
    double seconds = 0;
    std::map<std::string, std::size_t> outcomes;
  };
  std::map<std::string, Row> rows;
  for (const auto& [id, run] : state_of(*events).runs) {
    Row& row = rows[run.key];
    const bool good = run.outcome == Outcome::kOk;
    ++(good ? row.done : row.failed);
    row.seconds += good ? run.seconds : 0;
    if (!good) ++row.outcomes[run.outcome ? std::string(outcome_name(*run.outcome)) : "cut off"];
  }
  TextTable table({{"runs", true}, {"failed", true}, {"mean time", true}, {"cell"}});
  for (const Cell& cell : design.cells()) {
    const auto at = rows.find(cell.key);
    if (at == rows.end()) continue;
    const Row& row = at->second;
    const std::string time = row.done > 0 ? duration_text(row.seconds / static_cast<double>(row.done)) : "-";
    std::string name = cell.run.path();
    for (const auto& [outcome, count] : row.outcomes) name += fmt::format("  ({} {})", count, outcome);
    table.row({std::to_string(row.done), std::to_string(row.failed), time, name});
  }
  out << "\n";
  table.write(out, RowFormat::kTable);
  for (const Question* question : design.questions) {
    const std::string rejected = rejections_text(*events, *question);
    if (!rejected.empty()) out << "\n" << rejected << "\n";
  }
}

std::string last_answer(const std::filesystem::path& folder) {
  const Result<Events> events = read_journal(folder);
  if (!events) return {};
  const std::vector<event::LookTaken> looks = state_of(*events).looks;
  if (looks.empty()) return {};
  return fmt::format("{}{}:{}\n", std::string(looks.back().ended ? "After block " : "So far, after block "),
                     looks.back().block, answer_text(looks.back()));
}

event::Design design_event(const Design& design, const RecordOptions& options) {
  event::Design out;
  out.name = design.name;
  for (const Question* question : design.questions) out.questions.push_back(question->id);
  out.cells = design.cells().size();
  out.configurations = design.configurations;
  out.replicates = design.replicates;
  out.most = design.most;
  out.order = design.random_order ? "blocks" : "sequential";
  out.gpus_at_once = design.gpus_at_once();
  out.seed = design.seed;
  out.until_decided = options.until_decided;
  out.budget_seconds = options.budget_seconds;
  out.looks = design.gpus_at_once() > 1 ? "after each round of blocks, one per GPU" : "after each block";
  out.interval = "confidence sequence of block-wise differences, running intersection";
  return out;
}

}  // namespace assay::record
