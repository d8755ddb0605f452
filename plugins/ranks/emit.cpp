#include "emit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/summary.hpp"
#include "assay/detail/communication.hpp"
#include "assay/table_rows.hpp"
#include "assay/words.hpp"
#include "experts.hpp"
#include "timeline.hpp"

namespace assay::ranks {
namespace {

/// Values of the steps from the second on.
std::span<const double> later(const std::vector<double>& steps) { return std::span(steps).subspan(1); }

/// Groups as dims, in jobs with several.
class GroupDims {
 public:
  explicit GroupDims(const Matches& matches) : matches_(matches) {
    std::size_t unnamed = 0;
    for (const Group& group : matches.groups) {
      const bool is_ranks = group.name.find_first_not_of("0123456789,#") == std::string::npos && !group.name.empty();
      names_.push_back(is_ranks ? group.name : "group " + std::to_string(++unnamed));
    }
  }
  [[nodiscard]] bool several() const { return matches_.groups.size() > 1; }
  void add(std::vector<Dim>& dims, std::uint32_t group) const {
    if (several()) dims.emplace_back("group", names_[group]);
  }

 private:
  const Matches& matches_;
  std::vector<std::string> names_;  ///< ids of communicators differ between runs and never appear in outputs
};

struct SizeKey {
  std::uint32_t group;
  std::int64_t kind, bytes;  ///< -1: not known
  auto operator<=>(const SizeKey&) const = default;
};

std::int64_t bytes_of(const JobRows& job, const Matches& matches, const Match& m) {
  const Group& group = matches.groups[m.group];
  const RankRows& rank = job.ranks[group.members[0]];
  const std::uint32_t row = matches.row(m, 0);
  return message_bytes(static_cast<CollectiveKind>(rank.kind[row]), rank.sent[row], rank.received[row], group.size)
      .value_or(-1);
}

void emit_bandwidths(const JobRows& job, const Matches& matches, const Waits& waits, const GroupDims& groups,
                     JobSink& sink) {
  std::map<SizeKey, std::vector<double>> transfers;
  for (std::size_t i = 0; i < matches.all.size(); ++i) {
    const Match& m = matches.all[i];
    const RankRows& rank = job.ranks[matches.groups[m.group].members[0]];
    if (m.step > 0)
      transfers[{m.group, rank.kind[matches.row(m, 0)], bytes_of(job, matches, m)}].push_back(
          static_cast<double>(waits.transfer[i]));
  }
  struct Sums {
    double work = 0, time = 0;
  };
  const bool sized = std::any_of(transfers.begin(), transfers.end(), [](const auto& t) { return t.first.bytes >= 0; });
  if (!transfers.empty() && !sized) {
    sink.skip(kNone, "comm.algbw_bytes_per_s, comm.busbw_bytes_per_s",
              "the profiles have no sizes of messages, so bandwidths are unknown; nsys export --include-blobs=true "
              "exports them");
  }
  std::map<SizeKey, Sums> weighted;  // bytes -1
  for (const auto& [key, times] : transfers) {
    const auto kind = static_cast<CollectiveKind>(key.kind);
    const std::string bytes = std::to_string(key.bytes);
    std::vector<Dim> dims = {{"kind", collective_name(kind)}};
    if (key.bytes >= 0) dims.emplace_back("bytes", bytes);
    groups.add(dims, key.group);
    sink.fact(kNone, "collective.transfer_ns", median(times), times, dims);
    if (key.bytes <= 0 || std::find(times.begin(), times.end(), 0.0) != times.end()) continue;
    const auto factor = bus_factor(kind, matches.groups[key.group].size);
    std::vector<double> algorithm, bus;
    for (const double time : times) {
      algorithm.push_back(static_cast<double>(key.bytes) / time * 1e9);
      if (!factor) continue;
      bus.push_back(algorithm.back() * *factor);
      Sums& sums = weighted[{key.group, key.kind, -1}];
      sums.work += *factor * static_cast<double>(key.bytes);
      sums.time += time;
    }
    const double middle = static_cast<double>(key.bytes) / median(times) * 1e9;
    sink.fact(kNone, "comm.algbw_bytes_per_s", middle, algorithm, dims);
    if (factor) sink.fact(kNone, "comm.busbw_bytes_per_s", middle * *factor, bus, dims);
  }
  for (const auto& [key, sums] : weighted) {
    std::vector<Dim> dims = {{"kind", collective_name(static_cast<CollectiveKind>(key.kind))}};
    groups.add(dims, key.group);
    sink.fact(kNone, "comm.weighted_busbw_bytes_per_s", sums.work / sums.time * 1e9, {}, dims);
  }
}

void emit_mean(Row rank, std::string_view metric, const std::vector<double>& steps, JobSink& sink) {
  sink.fact(rank, metric, mean(later(steps)), later(steps));
}

void emit_waits(const JobRows& job, const Waits& waits, JobSink& sink) {
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankWaits& w = waits.ranks[r];
    emit_mean(job.rows[r], "rank.wait_ns", w.wait, sink);
    emit_mean(job.rows[r], "rank.wait_exposed_ns", w.wait_exposed, sink);
    emit_mean(job.rows[r], "rank.own_ns", w.own, sink);
    emit_mean(job.rows[r], "rank.cycle_ns", w.cycle, sink);
    sink.fact(job.rows[r], "straggler.last_count", static_cast<double>(w.last_count));
    if (waits.all > 0) sink.fact(job.rows[r], "straggler.share", w.caused / waits.all);
  }
  emit_mean(kNone, "comm.transfer_ns", waits.transfer_sum, sink);
}

/// Least squares of y over x, both ns, in parts per million; empty if all x are equal.
std::optional<double> slope_ppm(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2) return std::nullopt;
  const double mean_x = mean(x), mean_y = mean(y);
  double xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return xx > 0 ? std::optional(xy / xx * 1e6) : std::nullopt;
}

void emit_clocks(const JobRows& job, const Matches& matches, const Clocks& clocks, JobSink& sink) {
  for (std::size_t r = 1; r < job.ranks.size(); ++r) {
    const RankClock& clock = clocks.ranks[r];
    if (job.ranks[r].origin == kNoInteger || job.ranks[0].origin == kNoInteger) continue;
    sink.fact(job.rows[r], "clock.base_difference_ns", static_cast<double>(job.ranks[r].base - job.ranks[0].base));
    if (!clock.end_differences.empty())
      sink.fact(job.rows[r], "clock.end_difference_ns", median(clock.end_differences), clock.end_differences);
    if (const auto slope = slope_ppm(clock.end_times, clock.end_differences))
      sink.fact(job.rows[r], "clock.end_slope_ppm", *slope);
    if (!clock.known) continue;
    const std::string of_rank = "the clock of rank " + std::to_string(job.ranks[r].number),
                      of_first = "that of rank " + std::to_string(job.ranks[0].number);
    if (!clock.fits) {
      sink.issue(
          job.rows[r], "clock_not_aligned", Severity::kWarning, 0,
          filled("No offset and no drift makes {} agree with {}: collectives would end before they begin, so arrivals "
                 "are not compared. {}",
                 {of_rank, of_first,
                  matches.groups.front().name.empty()
                      ? "The files do not distinguish groups: if several were treated as one, waiting is wrong too."
                      : "Waiting needs no clock and is still valid."}));
      continue;
    }
    sink.fact(job.rows[r], "clock.offset_low_ns", static_cast<double>(clock.low));
    sink.fact(job.rows[r], "clock.offset_high_ns", static_cast<double>(clock.high));
    sink.fact(job.rows[r], "clock.offset_used_ns", static_cast<double>(clock.used));
    if (clock.drifts) {
      sink.fact(job.rows[r], "clock.drift_ppm", clock.slope * 1e6);
      sink.issue(
          job.rows[r], "clock_drift", Severity::kWarning, 0,
          filled("No one offset makes {} agree with {}, but a rate does: it runs {} ppm {} (by causality between {} "
                 "and {} ppm are to be added), and its times are moved along that line, right to {}.",
                 {of_rank, of_first, printed("%.3g", std::abs(clock.slope) * 1e6), clock.slope > 0 ? "slow" : "fast",
                  printed("%.3g", clock.slope_low * 1e6), printed("%.3g", clock.slope_high * 1e6),
                  time_text(static_cast<double>(clock.uncertainty()))}));
    } else if (clock.used != 0) {
      sink.issue(
          job.rows[r], "clock_offset", Severity::kWarning, 0,
          filled("The clock of rank {} is off by {} against {}, by causality between {} and {}; it is shifted by that.",
                 {std::to_string(job.ranks[r].number), time_text(static_cast<double>(std::abs(clock.used))), of_first,
                  time_text(static_cast<double>(clock.low)), time_text(static_cast<double>(clock.high))}));
    }
  }
}

void emit_skews(const JobRows& job, const Matches& matches, const Clocks& clocks, JobSink& sink) {
  constexpr std::string_view kAll = "rank.skew_ns, critical.rank_share";
  if (!clocks.usable)
    return sink.skip(kNone, kAll,
                     "the clocks of the ranks' files cannot be compared; waiting needs no clock and is still valid");
  const Skews skews = find_skews(job, matches, clocks);
  sink.fact(kNone, "clock.uncertainty_ns", static_cast<double>(clocks.uncertainty));
  if (skews.skew.empty()) return sink.skip(kNone, kAll, "no matched collective synchronizes its ranks");
  const double middle = median(skews.skew);
  const auto resolved = std::count_if(skews.skew.begin(), skews.skew.end(),
                                      [&](double skew) { return skew > static_cast<double>(clocks.uncertainty); });
  sink.fact(kNone, "rank.skew_ns", middle, skews.skew);
  sink.fact(kNone, "rank.skew_resolved_ratio", static_cast<double>(resolved) / static_cast<double>(skews.skew.size()));
  if (middle < static_cast<double>(clocks.uncertainty)) {
    sink.issue(
        kNone, "skew_not_resolved", Severity::kInfo, 0,
        filled(
            "The ranks arrive {} apart (median), less than the clocks' uncertainty of {}: that skew is not resolved.",
            {time_text(middle), time_text(static_cast<double>(clocks.uncertainty))}));
  }
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    emit_mean(job.rows[r], "rank.wait_by_arrival_ns", skews.wait_by_arrival[r], sink);
    sink.fact(job.rows[r], "straggler.last_by_arrival_count", static_cast<double>(skews.last_by_arrival[r]));
    if (!skews.arrivals[r].empty()) sink.fact(job.rows[r], "rank.arrival_ns", median(skews.arrivals[r]));
  }
}

void emit_critical(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks,
                   JobSink& sink) {
  if (!clocks.usable) return;
  const auto path = critical_path(job, matches, waits, clocks);
  double all = 0;
  for (const auto& steps : path) {
    for (const double time : later(steps)) all += time;
  }
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    emit_mean(job.rows[r], "critical.rank_ns", path[r], sink);
    double own = 0;
    for (const double time : later(path[r])) own += time;
    if (all > 0) sink.fact(job.rows[r], "critical.rank_share", own / all);
  }
}

void emit_straggler(const JobRows& job, const Waits& waits, const NamingRule& rule, JobSink& sink) {
  const Slowdown own = slowdown_of(waits, &RankWaits::own), cycle = slowdown_of(waits, &RankWaits::cycle);
  const auto excess = excesses(waits);
  sink.fact(kNone, "straggler.slowdown_ratio", own.median, own.of_steps);
  sink.fact(kNone, "straggler.mean_slowdown_ratio", own.of_means);
  sink.fact(kNone, "straggler.cycle_slowdown_ratio", cycle.median, cycle.of_steps);
  sink.fact(kNone, "balance.load_ratio", own.of_means > 0 ? 1 / own.of_means : 1);
  const Slowdown compute = slowdown_of(waits, &RankWaits::compute);
  sink.fact(kNone, "balance.compute_ratio", compute.of_means > 0 ? 1 / compute.of_means : 1);
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    sink.fact(job.rows[r], "straggler.worst_steps_ratio", own.worst_share[r]);
    for (std::size_t p = 0; p < std::size(kPartNames); ++p)
      sink.fact(job.rows[r], "straggler.excess_ns", excess[r][p], {{"part", kPartNames[p]}});
  }
  const auto over = paired_excess(waits, &RankWaits::own, rule.false_names);
  for (std::size_t r = 0; r < over.size(); ++r) {
    sink.fact(job.rows[r], "straggler.excess_ratio", over[r].mean);
    if (std::isfinite(over[r].low)) sink.fact(job.rows[r], "straggler.excess_low_ratio", over[r].low);
  }
  sink.fact(kNone, "straggler.slowest_rank", static_cast<double>(job.ranks[own.greatest].number));
  const auto found = find_straggler(waits, excess, rule);
  if (!found)
    return sink.skip(kNone, "straggler.rank",
                     "no single rank takes at least " + percent(rule.least_excess, 1) +
                         " longer than the mean of the others, beyond its noise: there is none");
  sink.fact(kNone, "straggler.rank", static_cast<double>(job.ranks[found->rank].number), {},
            Dims{{"cause", found->cause == Part::kCompute ? "compute"
                           : found->cause == Part::kCopy  ? "copy"
                                                          : "idle/host"}});
}

/// Longest window over the ranks, averaged over the steps from the second on; ns.
double longest_step(const JobRows& job, const Matches& matches) {
  double all = 0;
  for (std::size_t s = 1; s < matches.steps.size(); ++s) {
    std::int64_t most = 0;
    for (std::size_t r = 0; r < job.ranks.size(); ++r) {
      const std::size_t row = matches.step_rows[r][s];
      most = std::max(most, job.ranks[r].end[row] - job.ranks[r].start[row]);
    }
    all += static_cast<double>(most);
  }
  return matches.steps.size() > 1 ? all / static_cast<double>(matches.steps.size() - 1) : 0;
}

/// A rank whose collectives were matched wrongly: the file names no group, and although it is on the first rank's host,
/// its clock violates causality.
std::optional<std::size_t> mistaken_rank(const JobRows& job, const Matches& matches, const Clocks& clocks) {
  const bool unnamed =
      std::any_of(matches.groups.begin(), matches.groups.end(), [](const Group& g) { return g.name.empty(); });
  for (std::size_t r = 1; r < job.ranks.size() && unnamed; ++r) {
    const RankClock& clock = clocks.ranks[r];
    const bool one_host = !job.ranks[0].host.empty() && job.ranks[r].host == job.ranks[0].host;
    if (one_host && clock.known && (!clock.fits || clock.drifts || clock.used != 0)) return r;
  }
  return std::nullopt;
}

/// Rows for plots: per rank and step.
void emit_table(const JobRows& job, const Matches& matches, const Waits& waits, JobSink& sink) {
  TableRows<std::int64_t, std::int64_t, double, double, double, double, double, double> rows;
  for (std::size_t r = 0; r < job.ranks.size(); ++r) {
    const RankWaits& w = waits.ranks[r];
    for (std::size_t s = 0; s < matches.steps.size(); ++s) {
      rows.add(job.ranks[r].number, matches.steps[s], w.wait[s], w.wait_exposed[s], w.own[s], w.compute[s], w.idle[s],
               w.gap[s]);
    }
  }
  Table table = rows.table("waits", "Waiting by rank and step",
                           {{"rank"},
                            {"step"},
                            {"wait", "ns"},
                            {"exposed wait", "ns"},
                            {"own time", "ns"},
                            {"compute", "ns"},
                            {"idle", "ns"},
                            {"since the step before", "ns"}});
  sink.table(table);
}

}  // namespace

void emit_period(const JobRows& job, const Matches& matches, JobSink& sink) {
  std::vector<double> periods;
  for (std::size_t s = 1; s + 1 < matches.steps.size(); ++s) {
    double most = 0;
    for (std::size_t r = 0; r < job.ranks.size(); ++r) {
      const auto& rows = matches.step_rows[r];
      most =
          std::max(most, static_cast<double>(job.ranks[r].host_start[rows[s + 1]] - job.ranks[r].host_start[rows[s]]));
    }
    periods.push_back(most);
  }
  if (!periods.empty()) sink.fact(kNone, "job.step_period_ns", median(periods), periods);
}

void emit_job(const JobRows& job, const Matches& matches, const NamingRule& rule, bool with_matches, JobSink& sink) {
  sink.fact(kNone, "job.step_count", static_cast<double>(matches.steps.size() - 1));
  const Waits waits = find_waits(job, matches);
  const Clocks clocks = find_clocks(job, matches);
  if (const auto rank = mistaken_rank(job, matches, clocks)) {
    const std::string text = filled(
        "Ranks {} and {} are on one host with one clock, yet one leaves collectives before the other arrives: several "
        "groups were treated as one, because the files do not distinguish them, so waiting is not reported. Export "
        "again with nsys export --include-blobs=true.",
        {std::to_string(job.ranks[0].number), std::to_string(job.ranks[*rank].number)});
    sink.issue(kNone, "groups_not_told_apart", Severity::kError, 0, text);
    return sink.skip(kNone, "rank.*, straggler.*", text);
  }
  emit_period(job, matches, sink);
  emit_waits(job, waits, sink);
  emit_clocks(job, matches, clocks, sink);
  emit_skews(job, matches, clocks, sink);
  emit_straggler(job, waits, rule, sink);
  emit_experts(job, matches, waits, longest_step(job, matches), sink);
  emit_critical(job, matches, waits, clocks, sink);
  emit_bandwidths(job, matches, waits, GroupDims(matches), sink);
  emit_table(job, matches, waits, sink);
  if (with_matches) emit_timeline(job, matches, waits, clocks, sink);
}

}  // namespace assay::ranks
