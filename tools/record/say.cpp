// Texts of a recording before it begins and after it ends.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

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

}  // namespace

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
  out << "; at most " << duration_text(longest) << " by their time limits\n";
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
