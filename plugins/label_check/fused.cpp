#include "fused.hpp"

#include <algorithm>
#include <set>

#include "assay/words.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

constexpr int kMaxDoublings = 6;  // 64 rows per block; a block of values may be up to 64 times larger or smaller

/// Blocks of the most frequent grids; empty if two are equally frequent.
std::optional<std::pair<std::int64_t, std::int64_t>> most_launched(const Grids& grids) {
  std::optional<std::pair<std::int64_t, std::int64_t>> best;
  bool tied = false;
  for (const auto& grid : grids) {
    tied = best && grid.second == best->second ? true : best && grid.second < best->second ? tied : false;
    if (!best || grid.second > best->second) best = grid;
  }
  return tied ? std::nullopt : best;
}

bool within(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges, std::int64_t number) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return number >= range.first && number <= range.second; });
}

/// Whether the number of blocks is the expected one up to a power of two.
bool fits_but_for_factor(std::int64_t expected, std::int64_t blocks) {
  return within(rows_of_blocks(blocks), expected) || within(rows_of_blocks(expected), blocks);
}

/// Numbers of rows that follow from labels.
struct StatedRows {
  const Expression* rule = nullptr;
  std::int64_t rows = 0;
};

/// Empty unless the fused kernels of the report fit them and no label of the rule is in doubt.
std::optional<StatedRows> rows_by_labels(const Bench& bench, const Rules& rules, std::size_t report,
                                         std::int64_t blocks) {
  for (const Expression& rule : rules.grid_rows) {
    const auto rows = rule.value([&](std::string_view name) { return bench.whole(report, name); });
    if (!rows || !within(rows_of_blocks(blocks), *rows)) continue;
    const bool believed = std::none_of(rule.names().begin(), rule.names().end(), [&](const std::string& name) {
      const Judgement& own = bench.at(report, *bench.view().label(name));
      return own.conflict || (own.verdict && accuses(*own.verdict));
    });
    if (believed) return StatedRows{&rule, *rows};
  }
  return std::nullopt;
}

struct Reading {
  std::size_t report = 0;
  StatedRows stated;
  std::int64_t row_blocks = 0, blocks = 0, expected = 0;
};

/// The only label of the rule besides the rows; empty if there are others.
std::optional<std::string> width_label(const Expression& rule) {
  std::vector<std::string> names = rule.names();
  std::erase(names, std::string(kSeenRows));
  return names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

std::optional<std::int64_t> blocks_for(const Expression& rule, const std::string& label, std::int64_t value,
                                       std::int64_t rows) {
  return rule.value([&](std::string_view name) {
    return name == kSeenRows ? std::optional(rows) : name == label ? std::optional(value) : std::nullopt;
  });
}

void accuse(Bench& bench, const Expression& rule, const std::string& label, const Reading& r) {
  std::set<std::int64_t> possible;
  for (std::size_t other = 0; other < bench.reports(); ++other) {
    const auto value = bench.whole(other, label);
    const auto blocks = value ? blocks_for(rule, label, *value, r.stated.rows) : std::nullopt;
    if (blocks && fits_but_for_factor(*blocks, r.blocks)) possible.insert(*value);
  }
  const bool known = possible.size() == 1;
  const std::string what =
      filled("compiled kernels over rows times width run {} blocks, not {} of {} or that times a power of two{}",
             {with_commas(r.blocks), with_commas(r.expected), rule.text(),
              known ? "; they fit " + label + " " + with_commas(*possible.begin()) : std::string()});
  if (r.stated.rows == r.row_blocks) {
    const auto value = known ? std::optional(static_cast<double>(*possible.begin())) : std::nullopt;
    return bench.decide(r.report, label, judged(LabelVerdict::kContradicted, what, {}, value));
  }
  // Rows that fit only up to a power of two may be wrong, and then so may the width compared with them.
  std::vector<std::string> doubtful = r.stated.rule->names();
  doubtful.push_back(label);
  for (const std::string& name : doubtful) {
    bench.dispute(r.report, *bench.view().label(name),
                  what + ", unless the rows are others than " + r.stated.rule->text());
  }
}

}  // namespace

std::vector<std::pair<std::int64_t, std::int64_t>> rows_of_blocks(std::int64_t blocks) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (int k = 0; k <= kMaxDoublings && blocks > 0 && blocks < (std::int64_t{1} << 50); ++k) {
    const std::int64_t held = std::int64_t{1} << k;
    out.emplace_back((blocks - 1) * held + 1, blocks * held);
  }
  return out;
}

std::optional<std::int64_t> fused_row_blocks(const Bench& bench, std::size_t report, const Shapes& shapes) {
  const auto iterations = bench.fact(report, "iteration.count");
  const auto most = most_launched(shapes.compiled_rows);
  if (!iterations || !most || static_cast<double>(most->second) < 2 * *iterations) return std::nullopt;
  return most->first;
}

bool fused_rows_follow(const Bench& bench, const Rules& rules) {
  std::size_t shown = 0, fit = 0;
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    const auto blocks =
        bench.view().is_noise(r) ? std::nullopt : fused_row_blocks(bench, r, shapes_of(bench.view(), r));
    if (!blocks) continue;
    ++shown;
    if (rows_by_labels(bench, rules, r, *blocks)) ++fit;
  }
  return fit > 0 && 2 * fit >= shown;
}

void check_fused_widths(Bench& bench, const Rules& rules) {
  for (const Expression& rule : rules.grid_widths) {
    const auto label = width_label(rule);
    if (!label) continue;
    std::vector<Reading> readings;
    std::size_t fit = 0;
    for (std::size_t r = 0; r < bench.reports(); ++r) {
      if (bench.view().is_noise(r)) continue;
      const Shapes shapes = shapes_of(bench.view(), r);
      const auto row_blocks = fused_row_blocks(bench, r, shapes);
      const auto rows = row_blocks ? rows_by_labels(bench, rules, r, *row_blocks) : std::nullopt;
      const auto most = most_launched(shapes.compiled_widths);
      const auto value = bench.whole(r, *label);
      const auto expected = rows && most && value ? blocks_for(rule, *label, *value, rows->rows) : std::nullopt;
      if (!expected) continue;
      readings.push_back({r, *rows, *row_blocks, most->first, *expected});
      if (fits_but_for_factor(*expected, most->first)) ++fit;
    }
    if (fit == 0 || 2 * fit < readings.size()) continue;  // the rule describes another program
    for (const Reading& reading : readings) {
      if (!fits_but_for_factor(reading.expected, reading.blocks)) accuse(bench, rule, *label, reading);
    }
  }
}

}  // namespace assay::labels
