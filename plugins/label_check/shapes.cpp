// Labels that single kernels reveal: the width from kernels over rows times width, the depth from the number of layer
// launches.
#include "shapes.hpp"

#include <map>
#include <set>
#include <utility>

#include "assay/words.hpp"
#include "words.hpp"

namespace assay::labels {
namespace {

/// The number expected by a rule and the one in the trace, for one report.
struct Reading {
  std::size_t report = 0;
  std::int64_t seen = 0, expected = 0;
  Expression::Values values;
  std::string what;        ///< "kernels over rows times width run 4,728 blocks"
  std::int64_t added = 0;  ///< part of `seen` outside of the rule
};

/// Compares a number that follows from labels with all reports that show it. The constants of a rule describe the
/// program: a rule that misses most reports describes another program and accuses no report.
class NumberRule {
 public:
  NumberRule(Bench& bench, const Expression& rule) : bench_(bench), rule_(rule) {}

  void add(Reading reading) { readings_.push_back(std::move(reading)); }

  void decide() {
    std::size_t fit = 0;
    for (const Reading& r : readings_) fit += fits(r) ? 1U : 0U;
    const bool describes = fit > 0 && 2 * fit >= readings_.size();
    for (const Reading& r : readings_) {
      if (fits(r)) {
        if (describes) bear_out(r);
      } else if (describes) {
        accuse(r);
      } else {
        doubt(r, filled("which fits {} in only {}", {text(r), counted_of(fit, readings_.size(), "profile")}));
      }
    }
  }

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;

  static bool fits(const Reading& r) { return r.seen - r.added == r.expected; }

  /// First and last value of one label that gives the observed number: rounding may leave several.
  [[nodiscard]] std::optional<Range> values_for(const Reading& r, const std::string& label) const {
    const auto some = solve(rule_, label, r.seen - r.added, r.values);
    if (!some) return std::nullopt;
    const auto gives = [&](std::int64_t value) {
      const auto at = [&](std::string_view name) { return name == label ? std::optional(value) : r.values(name); };
      return value > 0 && rule_.value(at) == r.seen - r.added;
    };
    Range range(*some, *some);
    while (range.second - range.first < kMaxCandidates && gives(range.first - 1)) --range.first;
    while (range.second - range.first < kMaxCandidates && gives(range.second + 1)) ++range.second;
    return range;
  }

  /// The intended value in the range: the only one, or the only one that a report states.
  [[nodiscard]] std::optional<std::int64_t> chosen(const Range& range, const std::string& label) const {
    if (range.first == range.second) return range.first;
    std::set<std::int64_t> stated;
    for (std::size_t r = 0; r < bench_.reports(); ++r) {
      const auto value = bench_.whole(r, label);
      if (value && *value >= range.first && *value <= range.second) stated.insert(*value);
    }
    return stated.size() == 1 ? std::optional(*stated.begin()) : std::nullopt;
  }

  /// If only one label can be changed, it is wrong; of several it is unknown which.
  void accuse(const Reading& r) {
    std::map<std::string, Range> possible;
    for (const std::string& name : rule_.names()) {
      const auto index = name == kSeenRows ? std::nullopt : bench_.view().label(name);
      if (!index || bench_.at(r.report, *index).verdict == LabelVerdict::kBorneOut) continue;
      if (const auto range = values_for(r, name)) possible.emplace(name, *range);
    }
    if (possible.empty()) return doubt(r, "which no value of one label alone gives");
    std::string reason =
        filled("{}, not the {} of {}; they fit ", {r.what, with_commas(r.expected + r.added), text(r)});
    std::vector<std::string> fitting;
    for (const auto& [label, range] : possible) fitting.push_back(label + " " + range_text(range, label));
    for (std::size_t i = 0; i < fitting.size(); ++i) reason += (i == 0 ? "" : " or ") + fitting[i];
    if (possible.size() > 1) {
      for (const auto& [label, range] : possible) {
        bench_.dispute(r.report, *bench_.view().label(label), reason + ", and the trace does not show which");
      }
      return;
    }
    const auto& [label, range] = *possible.begin();
    const auto value = chosen(range, label);
    bench_.decide(r.report, label,
                  judged(LabelVerdict::kContradicted, reason, {},
                         value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt));
  }

  [[nodiscard]] std::string range_text(const Range& range, const std::string& label) const {
    const auto value = chosen(range, label);
    return value ? with_commas(*value) : with_commas(range.first) + " to " + with_commas(range.second);
  }

  [[nodiscard]] std::string text(const Reading& r) const {
    return rule_.text() + (r.added == 0 ? std::string() : printed(" %+.0f", static_cast<double>(r.added)));
  }

  void bear_out(const Reading& r) {
    for (const std::string& name : rule_.names()) {
      if (name == kSeenRows) continue;
      bench_.decide(r.report, name,
                    judged(LabelVerdict::kBorneOut, r.what + " = " + text(r), {}, bench_.number(r.report, name)));
    }
  }

  void doubt(const Reading& r, const std::string& why) {
    for (const std::string& name : rule_.names()) {
      if (const auto label = name == kSeenRows ? std::nullopt : bench_.view().label(name)) {
        bench_.doubt(r.report, *label, r.what + ", " + why);
      }
    }
  }

  static constexpr std::int64_t kMaxCandidates = 4096;
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
  if (compiled ? compiled_rows.empty() : rows.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const Grids* grids : {&rows, &compiled_rows}) {
    for (const auto& [blocks, launches] : *grids) sum += launches;
  }
  return sum;
}

std::optional<std::int64_t> Shapes::only(const Grids& grids) const {
  return !compiled && grids.size() == 1 ? std::optional(grids.begin()->first) : std::nullopt;
}

Shapes shapes_of(const StudyView& view, std::size_t report) {
  const auto read = [&](std::string_view name) { return grids_from(view.attribute(report, name).value_or("")); };
  Shapes out{read("label.grids"), read("label.row_grids"), read("label.compiled_row_grids"), read("label.width_grids"),
             read("label.compiled_width_grids")};
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
                  filled("kernels over rows times width run {} blocks{}",
                         {with_commas(*seen), rows ? " at " + with_commas(*rows) + " rows" : ""})});
    }
    number.decide();
  }
}

namespace {

/// Launches that compilers add to those counted by the rule: the number that most compiled runs agree on, at least
/// three runs with two depths; otherwise empty.
std::optional<std::int64_t> added_by_compiler(const std::vector<Reading>& readings) {
  std::map<std::int64_t, std::set<std::int64_t>> expected_of;  // by number of added launches
  std::map<std::int64_t, std::size_t> count_of;
  for (const Reading& r : readings) {
    expected_of[r.seen - r.expected].insert(r.expected);
    ++count_of[r.seen - r.expected];
  }
  for (const auto& [added, count] : count_of) {
    if (count >= 3 && 2 * count > readings.size() && expected_of[added].size() > 1) return added;
  }
  return std::nullopt;
}

/// Launches of one report, if they can be counted.
std::optional<Reading> launches_of(const Bench& bench, const Expression& rule, std::size_t report,
                                   const Shapes& shapes) {
  const auto iterations = bench.fact(report, "iteration.count");
  if (bench.view().is_noise(report) || !iterations || !(*iterations >= 1) || bench.graphs_hide_kernels(report))
    return std::nullopt;
  const auto count = static_cast<std::int64_t>(*iterations);
  const auto launches = shapes.row_launches();
  const Expression::Values values = [&bench, report](std::string_view name) { return bench.whole(report, name); };
  const auto expected = rule.value(values);
  if (!expected || !launches || *launches % count != 0) return std::nullopt;
  return Reading{report, *launches / count, *expected, values,
                 with_commas(*launches / count) + " launches of kernels with one block per row in an iteration"};
}

}  // namespace

void check_launches(Bench& bench, const Rules& rules) {
  if (!rules.row_launches) return;
  const auto compile = bench.view().label(rules.compile_label);
  NumberRule number(bench, *rules.row_launches);
  std::map<std::string, std::vector<Reading>> compiled;  // by location and mode
  for (std::size_t r = 0; r < bench.reports(); ++r) {
    const Shapes shapes = shapes_of(bench.view(), r);
    auto reading = launches_of(bench, *rules.row_launches, r, shapes);
    if (!reading) continue;
    if (!shapes.compiled) {
      number.add(*std::move(reading));
    } else {
      compiled[bench.folder_of(r) + std::string(compile ? bench.text(r, *compile) : "")].push_back(*std::move(reading));
    }
  }
  number.decide();
  for (auto& [mode, readings] : compiled) {
    const auto added = added_by_compiler(readings);
    if (!added) continue;
    NumberRule fused(bench, *rules.row_launches);
    for (Reading& reading : readings) {
      reading.added = *added;
      fused.add(std::move(reading));
    }
    fused.decide();
  }
}

}  // namespace assay::labels
