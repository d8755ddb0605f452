#include <algorithm>
#include <limits>

#include "words.hpp"

namespace assay::tokens {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// "batch 4, px=224".
std::string pair_name(const Pair& pair) {
  const std::string labels = labels_text(pair.labels);
  return "batch " + pair.batch_text + (labels.empty() ? "" : ", " + labels);
}

/// The pair for this cell, or null.
const PairResult* pair_at(const Analysis& analysis, std::size_t cell) {
  const auto at = std::ranges::find_if(analysis.pairs, [&](const PairResult& pair) { return pair.cell == cell; });
  return at == analysis.pairs.end() ? nullptr : &*at;
}

/// The sweep's speed-up of a cell; NaN if it was not swept.
double swept(const Analysis& analysis, const Cell& cell) {
  for (const SweepResult& result : analysis.sweeps) {
    if (result.sweep.labels != cell.labels) continue;
    for (const LevelSpeedup& level : result.crossing.levels) {
      if (level.batch == cell.batch) return level.speedup;
    }
  }
  return kNothing;
}

}  // namespace

Table speedup_table(const Analysis& analysis) {
  struct TableRow {
    const CellResult* cell;
    const PairResult* pair;
    std::optional<std::pair<double, double>> interval;
  };
  std::vector<TableRow> rows;
  for (std::size_t c = 0; c < analysis.cells.size(); ++c) {
    const CellResult& result = analysis.cells[c];
    if (result.combined) rows.push_back({&result, pair_at(analysis, c), result.combined->interval(analysis.level)});
  }
  Table table("speedups", "Throughput with the reduction over that without, by batch");
  table.column("labels", "", rows, [](const TableRow& at) { return labels_text(at.cell->cell.labels); })
      .column("batch", "", rows, [](const TableRow& at) { return at.cell->cell.text; })
      .column("sweep", "ratio", rows, [&](const TableRow& at) { return swept(analysis, at.cell->cell); })
      .column("profile", "ratio", rows,
              [](const TableRow& at) { return at.pair == nullptr ? std::nullopt : at.pair->pair.speedup(); })
      .column("combined", "ratio", rows, [](const TableRow& at) { return at.cell->combined->value; })
      .column("low", "ratio", rows,
              [](const TableRow& at) { return at.interval ? std::optional(at.interval->first) : std::nullopt; })
      .column("high", "ratio", rows,
              [](const TableRow& at) { return at.interval ? std::optional(at.interval->second) : std::nullopt; })
      .column("measurements", "1", rows, [](const TableRow& at) { return at.cell->combined->measurements; });
  return table;
}

Table cause_table(const Analysis& analysis) {
  std::vector<std::pair<const Pair*, const Cause*>> rows;
  for (const PairResult& result : analysis.pairs) {
    for (const Cause& cause : result.causes) rows.emplace_back(&result.pair, &cause);
  }
  Table table("causes", "Why the reduction may not save time, by cause");
  table.column("pair", "", rows, [](const auto& row) { return pair_name(*row.first); })
      .column("cause", "", rows, [](const auto& row) { return row.second->title; })
      .column("status", "", rows, [](const auto& row) { return status_name(row.second->status); })
      .column("evidence", "", rows, [](const auto& row) { return row.second->evidence; })
      .column("criterion", "", rows, [](const auto& row) { return row.second->criterion; })
      .column("remedy", "", rows, [](const auto& row) {
        return row.second->status == Status::kConfirmed ? row.second->remedy : std::string();
      });
  return table;
}

Table added_table(const Analysis& analysis) {
  std::vector<std::pair<const Pair*, const std::pair<std::string, ForwardCost>*>> rows;
  for (const PairResult& result : analysis.pairs) {
    for (const auto& added : result.pair.added_names) rows.emplace_back(&result.pair, &added);
  }
  Table table("added_kernels", "Kernels that only the reduced run has, per forward");
  table.column("pair", "", rows, [](const auto& row) { return pair_name(*row.first); })
      .column("kernel", "", rows, [](const auto& row) { return row.second->first; })
      .column("time", "ns", rows, [](const auto& row) { return row.second->second.time; })
      .column("launches", "1", rows, [](const auto& row) { return row.second->second.count; });
  return table;
}

}  // namespace assay::tokens
