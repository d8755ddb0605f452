#include "equal_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "assay/words.hpp"

namespace assay::summary {
namespace {

struct Run {
  std::int64_t fact;
  double value;
};

/// The runs of a group that may be compared, by the key that makes them comparable.
std::map<double, std::vector<Run>> comparable(const StudyView& study, const ReplicateGroup& group,
                                              const std::string& metric, std::int64_t& not_positive) {
  constexpr double kAnyCount = -1;
  const bool per_iteration = metric.starts_with("iteration.");
  std::map<double, std::vector<Run>> sets;
  for (const RunReports& run : group.runs) {
    const auto row = static_cast<Row>(run.front());
    const std::optional<std::size_t> fact = study.fact(row, metric);
    if (!fact) continue;
    const double value = *value_of(study, run, metric);
    if (value <= 0) {
      ++not_positive;
      continue;
    }
    const double key = per_iteration ? kAnyCount : study.value(row, "iteration.count").value_or(kAnyCount);
    sets[key].push_back({static_cast<std::int64_t>(*fact), value});
  }
  std::erase_if(sets, [](const auto& set) { return set.second.size() < 2; });
  return sets;
}

double squares_around_mean(const std::vector<Run>& runs) {
  double mean = 0, squares = 0;
  for (const Run& r : runs) mean += std::log(r.value) / static_cast<double>(runs.size());
  for (const Run& r : runs) squares += (std::log(r.value) - mean) * (std::log(r.value) - mean);
  return squares;
}

Spread spread_within(const std::vector<Run>& runs) {
  const auto [low, high] =
      std::minmax_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.value < b.value; });
  return {high->value / low->value, low->fact, high->fact};
}

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

template <class Visit>
void each_spread(const EqualRuns& equal, Visit&& visit) {
  for (const MetricSpread& s : equal.device) visit(s);
  for (const MetricSpread& s : equal.host) visit(s);
}

std::size_t runs_in(const std::vector<ReplicateGroup>& groups) {
  std::size_t runs = 0;
  for (const ReplicateGroup& g : groups) runs += g.runs.size();
  return runs;
}

std::string sentence(const EqualRuns& equal, const MetricSpread& s) {
  const auto widest = s.widest();
  if (!widest) return s.metric + ": no repeat runs have it. ";
  return filled(
      "{}: standard deviation of the log {} % ({} runs, {} degrees of freedom), at most a factor of {} between two "
      "repeat runs (group {}). ",
      {s.metric, printed("%.2f", *s.pooled_sd_log() * 100), std::to_string(s.runs),
       std::to_string(s.degrees_of_freedom()), printed("%.3f", s.by_group[*widest]->ratio), equal.groups[*widest].id});
}

/// The largest ratio over some metrics; empty if none was compared.
std::optional<double> widest_ratio(const std::vector<MetricSpread>& spreads) {
  std::optional<double> out;
  for (const MetricSpread& s : spreads) {
    if (const auto widest = s.widest()) out = std::max(out.value_or(1), s.by_group[*widest]->ratio);
  }
  return out;
}

std::string title_of(const EqualRuns& equal) {
  if (equal.groups.empty()) return "No repeat runs: run-to-run noise is unknown";
  std::string title = "How much repeat runs differ";
  const auto device = widest_ratio(equal.device), host = widest_ratio(equal.host);
  if (device) title += ": device time up to a factor of " + printed("%.3f", *device);
  if (host) title += std::string(device ? "," : ":") + " host-bound time up to a factor of " + printed("%.2f", *host);
  return title;
}

}  // namespace

std::optional<double> MetricSpread::pooled_sd_log() const {
  if (degrees_of_freedom() <= 0) return std::nullopt;
  return std::sqrt(sum_of_squares / static_cast<double>(degrees_of_freedom()));
}

std::optional<std::size_t> MetricSpread::widest() const {
  std::optional<std::size_t> out;
  for (std::size_t g = 0; g < by_group.size(); ++g) {
    if (by_group[g] && (!out || by_group[g]->ratio > by_group[*out]->ratio)) out = g;
  }
  return out;
}

std::vector<ReplicateGroup> replicate_groups(const StudyView& study) {
  std::vector<ReplicateGroup> groups;
  for (std::vector<RunReports>& runs : equal_runs(study))
    groups.push_back({std::to_string(groups.size() + 1), std::move(runs)});
  return groups;
}

MetricSpread spread_of(const StudyView& study, const std::vector<ReplicateGroup>& groups, const std::string& metric) {
  MetricSpread out;
  out.metric = metric;
  for (const ReplicateGroup& group : groups) {
    std::optional<Spread>& widest = out.by_group.emplace_back();
    for (const auto& [key, runs] : comparable(study, group, metric, out.not_positive)) {
      out.runs += static_cast<std::int64_t>(runs.size());
      ++out.sets;
      out.sum_of_squares += squares_around_mean(runs);
      const Spread spread = spread_within(runs);
      if (!widest || spread.ratio > widest->ratio) widest = spread;
    }
  }
  return out;
}

void emit_facts(const EqualRuns& equal, StudySink& sink) {
  for (const ReplicateGroup& group : equal.groups) {
    sink.fact("replicate.group", static_cast<double>(group.runs.size()), {{"group", group.id}});
  }
  each_spread(equal, [&](const MetricSpread& s) {
    for (std::size_t g = 0; g < equal.groups.size(); ++g) {
      if (!s.by_group[g]) continue;
      sink.fact("replicate.spread_ratio", s.by_group[g]->ratio, {{"group", equal.groups[g].id}, {"metric", s.metric}});
    }
    const auto sd = s.pooled_sd_log();
    if (!sd) return;
    sink.fact("replicate.pooled_sd_log", *sd, {{"metric", s.metric}});
    sink.fact("replicate.pooled_df", static_cast<double>(s.degrees_of_freedom()), {{"metric", s.metric}});
  });
}

Finding equal_runs_finding(const EqualRuns& equal) {
  Finding out;
  out.role = FindingRole::kNote;
  out.title = title_of(equal);
  out.text = filled("{} in {} of equal fingerprints among {}. ",
                    {counted(runs_in(equal.groups), "run"), counted(equal.groups.size(), "group"),
                     counted(equal.reports, "profile")});
  if (!equal.groups.empty()) {
    out.text += "Device time: ";
    for (const MetricSpread& s : equal.device) out.text += sentence(equal, s);
    out.text += "Host-bound: ";
    for (const MetricSpread& s : equal.host) out.text += sentence(equal, s);
    out.text += "A difference within this spread is not an effect. ";
  }
  if (equal.without_fingerprint > 0) {
    out.text += "Without a fingerprint, so in no group: " + counted(equal.without_fingerprint, "profile") +
                " (no GPU work, or graph launches whose kernels were not traced). ";
  }
  each_spread(equal, [&](const MetricSpread& s) {
    if (const auto widest = s.widest()) {
      out.evidence.insert(out.evidence.end(), {s.by_group[*widest]->low, s.by_group[*widest]->high});
    }
    if (s.not_positive > 0) {
      out.text +=
          filled("Left out: {} of {} <= 0. ", {counted(static_cast<std::size_t>(s.not_positive), "value"), s.metric});
    }
  });
  out.text.pop_back();
  return out;
}

Table group_table(const EqualRuns& equal, const StudyView& study) {
  Table table("replicate_groups",
              "Groups of profiles with equal fingerprints, and the largest over the smallest value in each");
  std::vector<std::string> ids, first;
  std::vector<std::int64_t> sizes;
  for (const ReplicateGroup& g : equal.groups) {
    ids.push_back(g.id);
    sizes.push_back(static_cast<std::int64_t>(g.runs.size()));
    first.emplace_back(study.path(g.runs.front().front()));
  }
  table.add("group", "", std::move(ids));
  table.add("reports", "1", std::move(sizes));
  table.add("first report", "", std::move(first));
  each_spread(equal, [&](const MetricSpread& s) {
    std::vector<double> ratios;
    for (const auto& spread : s.by_group) ratios.push_back(spread ? spread->ratio : kAbsent);
    table.add(s.metric + " max/min", "1", std::move(ratios));
  });
  return table;
}

Table run_table(const EqualRuns& equal, const StudyView& study) {
  Table table("replicate_runs", "Runs of each group");
  std::vector<std::string> ids, paths;
  for (const ReplicateGroup& g : equal.groups) {
    for (const RunReports& run : g.runs) {
      ids.push_back(g.id);
      paths.emplace_back(study.path(run.front()));
    }
  }
  table.add("group", "", std::move(ids));
  table.add("report", "", std::move(paths));
  each_spread(equal, [&](const MetricSpread& s) {
    std::vector<double> values;
    for (const ReplicateGroup& g : equal.groups) {
      for (const RunReports& run : g.runs) values.push_back(value_of(study, run, s.metric).value_or(kAbsent));
    }
    const auto row = study.metric(s.metric);
    table.add(s.metric, row ? std::string(study.study().metrics->unit[*row].view()) : std::string(), std::move(values));
  });
  return table;
}

}  // namespace assay::summary
