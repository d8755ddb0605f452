#include "equal_runs.hpp"

#include <limits>
#include <string>

#include "assay/words.hpp"

namespace assay::summary {
namespace {

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
  return s.metric + ": standard deviation of the log " + printed("%.2f", *s.pooled_sd_log() * 100) + " % (" +
         std::to_string(s.runs) + " runs, " + std::to_string(s.degrees_of_freedom()) +
         " degrees of freedom), at most a factor of " + printed("%.3f", s.by_group[*widest]->ratio) +
         " between two repeat runs (group " + equal.groups[*widest].id + "). ";
}

/// The widest ratio of some metrics, or nothing when none was compared.
std::optional<double> widest_ratio(const std::vector<MetricSpread>& spreads) {
  std::optional<double> out;
  for (const MetricSpread& s : spreads) {
    if (const auto widest = s.widest()) out = std::max(out.value_or(1), s.by_group[*widest]->ratio);
  }
  return out;
}

std::string title_of(const EqualRuns& equal) {
  if (equal.groups.empty()) return "No two profiles are of the same program: run-to-run noise is unknown";
  std::string title = "How much repeat runs differ";
  const auto device = widest_ratio(equal.device), host = widest_ratio(equal.host);
  if (device) title += ": device time up to a factor of " + printed("%.3f", *device);
  if (host) title += std::string(device ? "," : ":") + " host-bound time up to a factor of " + printed("%.2f", *host);
  return title;
}

}  // namespace

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
  out.text = counted(runs_in(equal.groups), "run") + " in " + counted(equal.groups.size(), "group") +
             " of equal fingerprints among " + counted(equal.reports, "profile") + ". ";
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
          "Left out: " + counted(static_cast<std::size_t>(s.not_positive), "value") + " of " + s.metric + " <= 0. ";
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
