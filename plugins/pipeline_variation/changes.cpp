#include "changes.hpp"

#include <set>
#include <stdexcept>

#include "assay/words.hpp"

namespace assay::pipeline {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Median over the runs; the ranks of a job count as one.
double median_of(const StudyView& view, const Runs& runs,
                 std::optional<double> (*value)(const StudyView&, std::size_t)) {
  std::vector<double> values = values_of_runs(view, runs, [&](std::size_t r) { return value(view, r); });
  return median_in_place(values);
}

std::optional<double> overlap_of(const StudyView& view, std::size_t report) {
  return view.value(static_cast<Row>(report), "gpu.overlap_ratio");
}

Mechanism mechanism_of(const StudyView& view, const Runs& runs) {
  return {median_of(view, runs, &waits_per_iteration), median_of(view, runs, &overlap_of)};
}

bool equal_programs(const StudyView& view, const Stratum& stratum) {
  std::set<std::string_view> programs;
  for (const auto* side : {&stratum.base, &stratum.treated}) {
    for (const std::size_t r : *side) programs.insert(view.attribute(r, "fingerprint").value_or(view.path(r)));
  }
  return programs.size() == 1;
}

}  // namespace

LabelPair change_from(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t arrow = text.find("->");
  if (colon == std::string_view::npos || arrow == std::string_view::npos || arrow < colon) {
    throw std::invalid_argument("changes holds '" + std::string(text) + "'; expected \"label: from -> to\"");
  }
  const std::string label(trimmed(text.substr(0, colon)));
  const std::string from(trimmed(text.substr(colon + 1, arrow - colon - 1))), to(trimmed(text.substr(arrow + 2)));
  if (label.empty() || from.empty() || to.empty()) {
    throw std::invalid_argument("changes holds '" + std::string(text) + "'; expected \"label: from -> to\"");
  }
  return {label, from, to, filled("{} {} -> {}", {label, from, to})};
}

std::optional<double> waits_per_iteration(const StudyView& view, std::size_t report) {
  const auto row = static_cast<Row>(report);
  const auto iterations = view.value(row, "iteration.count");
  if (!iterations || !(*iterations > 0)) return std::nullopt;
  double calls = 0;
  bool known = false;
  view.each_fact(row, "sync.count", [&](std::size_t fact) {
    calls += view.study().facts->value[fact];
    known = true;
  });
  return known ? std::optional<double>(calls / *iterations) : std::nullopt;
}

Traces traces_of(const StudyView& view, const PairStudy& pairs) {
  Traces out;
  for (const std::vector<Stratum>& strata : pairs.strata) {
    std::vector<Trace>& of_change = out.emplace_back();
    for (const Stratum& s : strata)
      of_change.push_back({equal_programs(view, s), mechanism_of(view, s.base), mechanism_of(view, s.treated)});
  }
  return out;
}

}  // namespace assay::pipeline
