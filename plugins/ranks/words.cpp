#include "words.hpp"

#include <algorithm>
#include <charconv>

#include "algo/missing_ranks.hpp"
#include "assay/algo/dims.hpp"
#include "assay/table_rows.hpp"

namespace assay::ranks {
namespace {

std::optional<double> value(const StudyView& view, std::size_t report, std::string_view metric,
                            std::string_view dims = {}) {
  return view.value(static_cast<Row>(report), metric, dims);
}

void add_evidence(const StudyView& view, std::size_t report, std::string_view metric, std::vector<std::int64_t>& to,
                  std::string_view dims = {}) {
  if (const auto fact = view.fact(static_cast<Row>(report), metric, dims))
    to.push_back(static_cast<std::int64_t>(*fact));
}

std::string rank_text(const StudyView& view, std::size_t report) {
  const auto place = job_rank_of(view, report);
  return place ? place->rank : "?";
}

/// The named rank, with its cause.
struct NamedStraggler {
  double rank = 0;
  std::string cause;
  std::size_t fact = 0;
};

std::optional<NamedStraggler> straggler_of(const StudyView& view, const JobRun& job) {
  std::optional<NamedStraggler> out;
  view.each_fact(static_cast<Row>(job.first), "straggler.rank", [&](std::size_t fact) {
    out = NamedStraggler{view.study().facts->value[fact],
                         dim_value(view.study().facts->dims[fact], "cause").value_or("not known"), fact};
  });
  return out;
}

std::optional<std::size_t> report_of(const StudyView& view, const JobRun& job, double rank) {
  for (const std::size_t r : job.reports) {
    if (rank_text(view, r) == printed("%.0f", rank)) return r;
  }
  return std::nullopt;
}

/// The excess behind a cause: idle within the step or since the previous one, whichever is larger (unknown values
/// compare as smallest). Empty if unknown.
std::optional<double> excess_of(const StudyView& view, std::size_t report, const std::string& cause) {
  const auto excess = [&](const std::string& part) {
    return value(view, report, "straggler.excess_ns", "part=" + part);
  };
  return cause == "idle/host" ? std::max(excess("idle"), excess("between")) : excess(cause);
}

Finding straggler_finding(const StudyView& view, const JobRun& job, const NamedStraggler& named) {
  Finding f;
  f.role = FindingRole::kAnswer;
  double waits = 0;
  std::size_t most = job.first;
  for (const std::size_t r : job.reports) {
    const double wait = value(view, r, "rank.wait_exposed_ns").value_or(0);
    if (wait > waits) {
      waits = wait;
      most = r;
    }
    add_evidence(view, r, "rank.wait_exposed_ns", f.evidence);
    add_evidence(view, r, "rank.own_ns", f.evidence);
  }
  f.evidence.push_back(static_cast<std::int64_t>(named.fact));
  const auto own = value(view, most, "rank.own_ns");
  const auto slow = report_of(view, job, named.rank);
  f.title = filled("In {} the others wait for rank {}, by its {}: rank {} waits {}{} per step without overlapping work",
                   {job.name, printed("%.0f", named.rank), named.cause, rank_text(view, most), time_text(waits),
                    own ? " of " + time_text(*own + waits) : ""});
  f.text = "Its steps take " +
           printed("%.3g times", std::max(value(view, job.first, "straggler.slowdown_ratio").value_or(1),
                                          value(view, job.first, "straggler.cycle_slowdown_ratio").value_or(1))) +
           " the mean of the ranks (without waiting).";
  const auto over = slow ? value(view, *slow, "straggler.excess_ratio") : std::nullopt;
  const auto low = slow ? value(view, *slow, "straggler.excess_low_ratio") : std::nullopt;
  if (over && low && *low > 0)
    f.text += filled(" That is {} more than the others in the same step, at least {}.",
                     {percent(*over, 1), percent(*low, 1)});
  const auto excess = slow ? excess_of(view, *slow, named.cause) : std::nullopt;
  const auto share = slow ? value(view, *slow, "straggler.share") : std::nullopt;
  if (excess && share) {
    f.text += filled(" It takes {} more {} than the others per step, and {} of all waiting is for this rank.",
                     {time_text(*excess),
                      named.cause == "idle/host" ? std::string("idle time, in which the host gave it no work,")
                                                 : named.cause + " time",
                      percent(*share, 0)});
  }
  f.text += " The rank with the most time in collectives is the one that waits, not the one that is late.";
  return f;
}

/// Jobs in which no rank is named, in one finding.
Finding balanced_finding(const StudyView& view, const std::vector<const JobRun*>& jobs) {
  Finding f;
  f.role = FindingRole::kAnswer;
  double least = 0, most = 0;
  for (const JobRun* job : jobs) {
    const double slowdown = value(view, job->first, "straggler.slowdown_ratio").value_or(1);
    least = job == jobs.front() ? slowdown : std::min(least, slowdown);
    most = std::max(most, slowdown);
    add_evidence(view, job->first, "straggler.slowdown_ratio", f.evidence);
  }
  f.title = filled("No rank holds up the others in {}: the slowest costs {} % over the mean",
                   {counted(jobs.size(), "job"), low_to_high(100 * (least - 1), 100 * (most - 1), 1)});
  std::string missing;
  for (const JobRun* job : jobs) missing = missing.empty() ? missing_ranks_text(view, job->first) : missing;
  if (!missing.empty()) f.title += "; " + missing + " and may be the one that they wait for";
  f.text = "How often a rank is last does not matter by itself: what counts is how much time the others lose.";
  return f;
}

std::vector<Finding> membership_findings(const StudyView& view, const std::vector<JobRun>& jobs) {
  std::vector<Finding> out;
  for (const JobRun& job : jobs) {
    if (job.world == 0 || job.reports.size() >= job.world) continue;
    Finding f;
    f.role = FindingRole::kNote;
    f.title = filled("Of {} {} have profiles: {}", {job.name, counted_of(job.reports.size(), job.world, "rank"),
                                                    missing_ranks_text(view, job.first)});
    f.text = "Waiting and times without waiting are then bounds: a missing rank may have been the last.";
    for (const JobRun& other : jobs) {
      if (&other == &job || other.world != job.world || other.reports.size() != job.world) continue;
      for (const std::size_t r : job.reports) {
        for (const std::size_t o : other.reports) {
          if (rank_text(view, r) == rank_text(view, o) && view.path(r).substr(0, view.path(r).rfind('/') + 1) ==
                                                              view.path(o).substr(0, view.path(o).rfind('/') + 1))
            f.text += filled(" Rank {} is in {} too; if both belong to one job, it has a rank twice.",
                             {rank_text(view, r), view.path(o)});
        }
      }
      break;
    }
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace

std::vector<JobRun> jobs_of(const StudyView& view) {
  std::vector<JobRun> jobs;
  for (RunReports& run : as_runs(view, view.participants())) {
    const auto first = std::ranges::find_if(
        run, [&](std::size_t r) { return view.fact(static_cast<Row>(r), "job.rank_count").has_value(); });
    if (first == run.end()) continue;
    JobRun job{run, *first, std::string(view.path(*first)), 0};
    const std::string_view world = view.attribute(*first, kWorldSizeAttribute).value_or("");
    std::from_chars(world.data(), world.data() + world.size(), job.world);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<JobRun>& jobs) {
  std::vector<Finding> out;
  std::vector<const JobRun*> balanced;
  for (const JobRun& job : jobs) {
    if (!value(view, job.first, "straggler.slowdown_ratio")) continue;
    if (const auto named = straggler_of(view, job))
      out.push_back(straggler_finding(view, job, *named));
    else
      balanced.push_back(&job);
  }
  if (!balanced.empty()) out.push_back(balanced_finding(view, balanced));
  for (Finding& finding : membership_findings(view, jobs)) out.push_back(std::move(finding));
  return out;
}

Table job_table(const StudyView& view, const std::vector<JobRun>& jobs) {
  Table table("jobs", "Jobs");
  const auto of_job = [&](std::string_view metric) {
    return [&view, metric](const JobRun& job) { return value(view, job.first, metric); };
  };
  table.column("job", "", jobs, &JobRun::name);
  table.column("ranks", "1", jobs, [](const JobRun& job) { return static_cast<std::int64_t>(job.reports.size()); });
  table.column("missing", "", jobs, [&](const JobRun& job) {
    const std::string missing = missing_ranks_text(view, job.first);
    return !missing.empty() ? missing : std::string(job.world == 0 ? "not known" : "none");
  });
  table.column("matched", "1", jobs, of_job("collective.matched_count"));
  table.column("period", "ns", jobs, of_job("job.step_period_ns"));
  table.column("slowdown", "1", jobs, of_job("straggler.slowdown_ratio"));
  table.column("straggler", "", jobs, [&](const JobRun& job) {
    const auto named = straggler_of(view, job);
    return named ? filled("rank {}, {}", {printed("%.0f", named->rank), named->cause})
           : !value(view, job.first, "straggler.slowdown_ratio") ? std::string("not compared")
           : missing_ranks_text(view, job.first).empty()         ? std::string("none")
                                                                 : std::string("none of those there");
  });
  table.column("skew", "ns", jobs, of_job("rank.skew_ns"));
  table.column("clock uncertainty", "ns", jobs, of_job("clock.uncertainty_ns"));
  table.column("scaling efficiency", "ratio", jobs, of_job("scaling.efficiency_ratio"));
  return table;
}

Plot lanes_plot(const StudyView& view, const std::vector<JobRun>& jobs) {
  constexpr std::size_t kMaxLanes = 64;
  constexpr std::string_view kWait = "exposed waiting", kExposed = "other exposed communication",
                             kOwn = "other own time", kCompute = "compute";
  std::vector<std::string> lanes, parts;
  std::vector<double> times;
  Plot plot;
  for (const JobRun& job : jobs) {
    for (const std::size_t r : job.reports) {
      const auto wait = value(view, r, "rank.wait_exposed_ns"), own = value(view, r, "rank.own_ns");
      if (!wait || !own || lanes.size() >= 4 * kMaxLanes) continue;
      const auto compute = value(view, r, "compute.busy_ns");
      const double exposed = std::max(0.0, value(view, r, "comm.exposed_ns").value_or(*wait) - *wait);
      const auto add = [&](std::string_view part, double time) {
        lanes.emplace_back(view.path(r));
        parts.emplace_back(part);
        times.push_back(time);
      };
      if (compute) add(kCompute, *compute);  // otherwise included in the own time
      add(kWait, *wait);                     // second: the second colour is red
      add(kOwn, std::max(0.0, *own - compute.value_or(0) - exposed));
      add(kExposed, exposed);
      add_evidence(view, r, "rank.wait_exposed_ns", plot.evidence);
      add_evidence(view, r, "rank.own_ns", plot.evidence);
    }
  }
  plot.id = "lanes";
  plot.title = "What each rank does in a step";
  plot.caption =
      "One lane per rank: the mean step on the device. Ranks that wait have short own times and long waiting; the rank "
      "they wait for has neither waiting nor slack.";
  plot.x = {"time of a step", PlotScale::kLinear, PlotOrder::kGiven, kAxisZero};
  plot.y = {"rank", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.series_title = "part";
  Table table("lanes", plot.title);
  table.add("rank", "", std::move(lanes));
  table.add("part", "", std::move(parts));
  table.add("time", "ns", std::move(times));
  plot.layers.push_back({PlotMark::kBar, std::move(table), {"time", "rank", {}, {}, "part", {}}});
  return plot;
}

Plot waits_plot(const StudyView& view, const std::vector<JobRun>& jobs) {
  constexpr std::size_t kMaxLines = 16;
  TableRows<std::string, std::string, double, double> rows;
  Plot plot;
  for (const JobRun& job : jobs) {
    for (std::size_t i = 0; i < std::min(kMaxLines, job.reports.size()); ++i) {
      const auto fact = view.fact(static_cast<Row>(job.reports[i]), "rank.wait_exposed_ns");
      if (!fact) continue;
      plot.evidence.push_back(static_cast<std::int64_t>(*fact));
      double step = 1;
      for (const double wait : view.samples(*fact)) {
        rows.add(job.name, "rank " + rank_text(view, job.reports[i]), step++, wait);
      }
    }
  }
  plot.id = "waits";
  plot.title = "Waiting of each rank by step, without compute beside it";
  plot.caption =
      "From the second step of the capture on; a rank that stays at 0 while the others wait is the one they wait for.";
  plot.x = {"step", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {"exposed waiting", PlotScale::kLinear, PlotOrder::kGiven, kAxisZero};
  plot.series_title = "rank";
  Table table = rows.table("waits", plot.title, {{"job"}, {"rank"}, {"step"}, {"wait", "ns"}});
  plot.layers.push_back({PlotMark::kLine, std::move(table), {"step", "wait", {}, {}, "rank", "job"}});
  return plot;
}

Plot bandwidth_plot(const StudyView& view, const std::vector<JobRun>& jobs, double link) {
  std::vector<std::string> kinds;
  std::vector<double> sizes, bandwidths;
  Plot plot;
  double best = 0;
  for (const JobRun& job : jobs) {
    view.each_fact(static_cast<Row>(job.first), "comm.busbw_bytes_per_s", [&](std::size_t fact) {
      const std::string_view dims = view.study().facts->dims[fact];
      const std::string bytes = dim_value(dims, "bytes").value_or("");
      double size = 0;
      if (std::from_chars(bytes.data(), bytes.data() + bytes.size(), size).ec != std::errc()) return;
      kinds.push_back(dim_value(dims, "kind").value_or("?"));
      sizes.push_back(size);
      bandwidths.push_back(view.study().facts->value[fact]);
      best = std::max(best, bandwidths.back());
      plot.evidence.push_back(static_cast<std::int64_t>(fact));
    });
  }
  plot.id = "bandwidth";
  plot.title = "Bus bandwidth by size of message, without waiting";
  plot.caption =
      "Median of the least time over the ranks. Small messages are bound by latency; large ones level off at the "
      "bandwidth of the link. " +
      std::string(link > 0 ? "The line is the bandwidth of the link (option link_bytes_per_s); large messages far "
                             "below it suggest a slow link."
                           : "The line is the highest measured bandwidth, since profiles do not record that of the "
                             "link; it does not show whether the link is slow (option link_bytes_per_s).");
  plot.x = {"size", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.y = {"bus bandwidth", PlotScale::kLog, PlotOrder::kGiven, 0};
  plot.series_title = "kind";
  const double level = link > 0 ? link : best;
  if (best > 0) plot.references.push_back({level, level, link > 0 ? "link" : "highest measured", true, {}});
  Table table("bandwidth", plot.title);
  table.add("kind", "", std::move(kinds));
  table.add("size", "bytes", std::move(sizes));
  table.add("bandwidth", "bytes/s", std::move(bandwidths));
  plot.layers.push_back({PlotMark::kPoint, std::move(table), {"size", "bandwidth", {}, {}, "kind", {}}});
  return plot;
}

}  // namespace assay::ranks
