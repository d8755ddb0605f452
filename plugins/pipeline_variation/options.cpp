#include "options.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace assay::pipeline {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

double median_of(const StudyView& view, const std::vector<std::size_t>& reports,
                 std::optional<double> (*value)(const StudyView&, std::size_t)) {
  std::vector<double> values;
  for (const std::size_t r : reports) {
    if (const auto v = value(view, r)) values.push_back(*v);
  }
  return median_in_place(values);
}

std::optional<double> overlap_of(const StudyView& view, std::size_t report) {
  return view.value(static_cast<Row>(report), "gpu.overlap_ratio");
}

Mechanism mechanism_of(const StudyView& view, const std::vector<std::size_t>& reports) {
  return {median_of(view, reports, &waits_per_iteration), median_of(view, reports, &overlap_of)};
}

bool equal_programs(const StudyView& view, const Stratum& stratum) {
  std::set<std::string_view> programs;
  for (const auto* side : {&stratum.base, &stratum.treated}) {
    for (const std::size_t r : *side) programs.insert(view.attribute(r, "fingerprint").value_or(view.path(r)));
  }
  return programs.size() == 1;
}

/// Runs that no change could use, with the first reason given.
std::vector<Unmatched> never_used(const std::vector<Matching>& matchings) {
  std::set<std::size_t> used;
  std::map<std::size_t, std::string> alone;
  for (const Matching& matching : matchings) {
    for (const Stratum& s : matching.strata) {
      used.insert(s.base.begin(), s.base.end());
      used.insert(s.treated.begin(), s.treated.end());
    }
    for (const Unmatched& u : matching.unmatched) alone.emplace(u.report, u.reason);
  }
  std::vector<Unmatched> out;
  for (auto& [report, reason] : alone) {
    if (!used.contains(report)) out.push_back({report, std::move(reason)});
  }
  return out;
}

}  // namespace

Change change_from(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t arrow = text.find("->");
  if (colon == std::string_view::npos || arrow == std::string_view::npos || arrow < colon) {
    throw std::invalid_argument("changes holds '" + std::string(text) + "'; expected \"label: from -> to\"");
  }
  Change change{std::string(trimmed(text.substr(0, colon))),
                std::string(trimmed(text.substr(colon + 1, arrow - colon - 1))),
                std::string(trimmed(text.substr(arrow + 2)))};
  if (change.label.empty() || change.from.empty() || change.to.empty()) {
    throw std::invalid_argument("changes holds '" + std::string(text) + "'; expected \"label: from -> to\"");
  }
  return change;
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

Comparison compare(const StudyView& view, const Design& design) {
  Comparison out;
  std::vector<Matching> matchings;
  std::size_t tests = 0;
  for (const Change& change : design.changes) {
    matchings.push_back(match_pairs(view, change.label, change.from, change.to));
    tests += matchings.back().strata.size() * design.metrics.size();
  }
  out.level = shared_level(tests, view.level());
  out.unmatched = never_used(matchings);
  for (const std::string& metric : design.metrics) {
    out.floors.push_back(noise_floor(view, metric, {}, design.changes.front().label));
  }
  for (std::size_t c = 0; c < design.changes.size(); ++c) {
    const Change& change = design.changes[c];
    Tested& tested = out.tested.emplace_back();
    tested.change = change;
    std::vector<NoiseFloor> floors;
    for (const std::string& metric : design.metrics) floors.push_back(noise_floor(view, metric, {}, change.label));
    for (const Stratum& stratum : matchings[c].strata) {
      Pair pair;
      pair.stratum = stratum;
      pair.equal_programs = equal_programs(view, stratum);
      pair.before = mechanism_of(view, stratum.base);
      pair.after = mechanism_of(view, stratum.treated);
      for (std::size_t m = 0; m < design.metrics.size(); ++m) {
        const Lengths lengths = lengths_of(view, stratum.base, stratum.treated, design.metrics[m], {});
        if (!lengths.comparable())
          out.unmatched.push_back(
              {stratum.treated.front(), design.metrics[m] + " is not compared: " + lengths.refused});
        pair.contrasts.push_back(ratio_contrast(view, stratum, design.metrics[m], {}, floors[m], out.level,
                                                "pipeline_variation/" + change.text()));
      }
      tested.pairs.push_back(std::move(pair));
    }
  }
  return out;
}

}  // namespace assay::pipeline
