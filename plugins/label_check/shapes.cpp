// Labels that single kernels show: the width from kernels over rows times width, the depth from how often a layer runs.
#include "shapes.hpp"

#include <map>
#include <set>
#include <utility>

#include "assay/words.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

/// What a rule says of one report beside what the trace shows.
struct Reading {
  std::size_t report = 0;
  std::int64_t seen = 0, expected = 0;
  Expression::Values values;
  std::string what;  ///< "kernels over rows times width run 4,728 blocks"
};

/// A number that follows from labels, against all reports that show it. Most of what a rule knows of the program stands
/// in its constants: where it does not fit most reports it describes another program, and nobody is accused by it.
class NumberRule {
 public:
  NumberRule(Bench& bench, const Expression& rule) : bench_(bench), rule_(rule) {}

  void add(Reading reading) { readings_.push_back(std::move(reading)); }

  void decide() {
    std::size_t fit = 0;
    for (const Reading& r : readings_) fit += r.seen == r.expected ? 1U : 0U;
    const bool describes = fit > 0 && 2 * fit >= readings_.size();
    for (const Reading& r : readings_) {
      if (r.seen == r.expected) {
        if (describes) bear_out(r);
      } else if (describes) {
        accuse(r);
      } else {
        doubt(r, "which fits " + rule_.text() + " in only " + counted_of(fit, readings_.size(), "report"));
      }
    }
  }

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;

  /// Values of one label that give what is seen, first and last: rounding may leave several.
  [[nodiscard]] std::optional<Range> values_for(const Reading& r, const std::string& label) const {
    const auto some = solve(rule_, label, r.seen, r.values);
    if (!some) return std::nullopt;
    const auto gives = [&](std::int64_t value) {
      const auto at = [&](std::string_view name) { return name == label ? std::optional(value) : r.values(name); };
      return value > 0 && rule_.value(at) == r.seen;
    };
    Range range(*some, *some);
    while (range.second - range.first < kMostCandidates && gives(range.first - 1)) --range.first;
    while (range.second - range.first < kMostCandidates && gives(range.second + 1)) ++range.second;
    return range;
  }

  /// The one of them that is meant: the only one, or the only one that a report states.
  [[nodiscard]] std::optional<std::int64_t> chosen(const Range& range, const std::string& label) const {
    if (range.first == range.second) return range.first;
    std::set<std::int64_t> stated;
    for (std::size_t r = 0; r < bench_.reports(); ++r) {
      const auto value = bench_.whole(r, label);
      if (value && *value >= range.first && *value <= range.second) stated.insert(*value);
    }
    return stated.size() == 1 ? std::optional(*stated.begin()) : std::nullopt;
  }

  void accuse(const Reading& r) {
    std::map<std::string, Range> possible;
    std::vector<std::string> labels;
    for (const std::string& name : rule_.names()) {
      const auto range = name == kSeenRows ? std::nullopt : values_for(r, name);
      if (!range) continue;
      possible.emplace(name, *range);
      labels.push_back(name);
    }
    if (labels.empty()) return doubt(r, "which no value of one label alone gives");
    for (const auto& [label, range] : possible) {
      const auto value = chosen(range, label);
      std::string reason =
          r.what + ", not the " + with_commas(r.expected) + " of " + rule_.text() + "; they fit " + label + " " +
          (value ? with_commas(*value) : with_commas(range.first) + " to " + with_commas(range.second));
      if (labels.size() > 1) reason += ", or another value of " + listed(others(labels, label));
      bench_.decide(r.report, label,
                    judged(LabelVerdict::kContradicted, reason, {},
                           value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt));
    }
  }

  static std::vector<std::string> others(std::vector<std::string> labels, const std::string& label) {
    std::erase(labels, label);
    return labels;
  }

  void bear_out(const Reading& r) {
    for (const std::string& name : rule_.names()) {
      if (name == kSeenRows) continue;
      bench_.decide(r.report, name,
                    judged(LabelVerdict::kBorneOut, r.what + " = " + rule_.text(), {}, bench_.number(r.report, name)));
    }
  }

  void doubt(const Reading& r, const std::string& why) {
    for (const std::string& name : rule_.names()) {
      if (const auto label = name == kSeenRows ? std::nullopt : bench_.view().label(name)) {
        bench_.doubt(r.report, *label, r.what + ", " + why);
      }
    }
  }

  static constexpr std::int64_t kMostCandidates = 4096;
  Bench& bench_;
  const Expression& rule_;
  std::vector<Reading> readings_;
};

}  // namespace

bool Shapes::shows_rows(std::int64_t blocks) const {
  if (rows.empty() && compiled_rows.empty()) return all.contains(blocks);
  return rows.contains(blocks) || compiled_rows.contains(blocks);
}

std::optional<std::int64_t> Shapes::row_launches() const {
  if (compiled || rows.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const auto& [blocks, launches] : rows) sum += launches;
  return sum;
}

std::optional<std::int64_t> Shapes::only(const Grids& grids) const {
  return !compiled && grids.size() == 1 ? std::optional(grids.begin()->first) : std::nullopt;
}

Shapes shapes_of(const StudyView& view, std::size_t report) {
  const auto read = [&](std::string_view name) { return grids_from(view.attribute(report, name).value_or("")); };
  Shapes out{read("label.grids"), read("label.row_grids"), read("label.compiled_row_grids"), read("label.width_grids")};
  const auto fused = view.value(static_cast<Row>(report), "label.compiled_kernels");
  out.compiled = !out.compiled_rows.empty() || (fused && *fused > 0);
  return out;
}

void check_widths(Bench& bench, const Rules& rules) {
  for (const Expression& rule : rules.grid_widths) {
    NumberRule number(bench, rule);
    for (std::size_t r = 0; r < bench.reports(); ++r) {
      if (bench.view().is_noise(r)) continue;
      const Shapes shapes = shapes_of(bench.view(), r);
      const auto rows = shapes.only_rows(), seen = shapes.only_width();
      const Expression::Values values = [&bench, r, rows](std::string_view name) {
        return name == kSeenRows ? rows : bench.whole(r, name);
      };
      const auto expected = seen ? rule.value(values) : std::nullopt;
      if (!expected) continue;
      number.add({r, *seen, *expected, values,
                  "kernels over rows times width run " + with_commas(*seen) + " blocks" +
                      (rows ? " at " + with_commas(*rows) + " rows" : "")});
    }
    number.decide();
  }
}

void check_launches(Bench& bench, const Rules& rules) {
  if (!rules.row_launches) return;
  NumberRule number(bench, *rules.row_launches);
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    const auto iterations = bench.fact(r, "iteration.count");
    if (bench.view().is_noise(r) || !iterations || !(*iterations >= 1) || bench.graphs_hide_kernels(r)) continue;
    const auto count = static_cast<std::int64_t>(*iterations);
    const auto launches = shapes_of(bench.view(), r).row_launches();
    const Expression::Values values = [&bench, r](std::string_view name) { return bench.whole(r, name); };
    const auto expected = rules.row_launches->value(values);
    if (!expected || !launches || *launches % count != 0) continue;
    number.add({r, *launches / count, *expected, values,
                with_commas(*launches / count) + " launches of kernels with a block a row in an iteration"});
  }
  number.decide();
}

}  // namespace assay::labels
