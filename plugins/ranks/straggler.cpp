#include "straggler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"

namespace assay::ranks {
namespace {

constexpr std::int64_t kMinWait = 1000;  // ns

/// An exposed wait of one rank, and where the path continues.
struct Detour {
  std::int64_t begin;    ///< of the collective on the waiting rank, on the first rank's clock
  std::size_t last;      ///< the rank that arrived last
  std::int64_t arrival;  ///< its start
};

using Detours = std::vector<std::vector<std::vector<Detour>>>;  ///< [rank][step], by begin

Detours find_detours(const JobRows& job, const Matches& matches, const Waits& waits, const Clocks& clocks) {
  Detours out(job.ranks.size(), std::vector<std::vector<Detour>>(matches.steps.size()));
  Intervals bare;
  for (std::size_t i = 0; i < matches.all.size(); ++i) {
    const Match& m = matches.all[i];
    if (m.step == 0 || !tells(job, matches, m)) continue;
    const Group& group = matches.groups[m.group];
    const std::size_t last = group.members[waits.last[i]];
    const std::int64_t arrival = clocks.on_first(last, job.ranks[last].begin[matches.row(m, waits.last[i])]);
    for (std::uint32_t k = 0; k < group.members.size(); ++k) {
      const RankRows& rank = job.ranks[group.members[k]];
      const std::uint32_t row = matches.row(m, k);
      const std::int64_t wait = rank.duration(row) - waits.transfer[i];
      if (wait <= kMinWait) continue;
      bare.clear();
      rank.add_uncovered(row, wait, bare);
      if (measure(bare) <= kMinWait) continue;
      out[group.members[k]][m.step].push_back({clocks.on_first(group.members[k], rank.begin[row]), last, arrival});
    }
  }
  for (auto& steps : out) {
    for (auto& detours : steps) {
      std::ranges::stable_sort(detours, [](const Detour& a, const Detour& b) { return a.begin < b.begin; });
    }
  }
  return out;
}

constexpr std::vector<double> RankWaits::* kParts[] = {&RankWaits::compute, &RankWaits::copy, &RankWaits::idle,
                                                       &RankWaits::gap};

}  // namespace

std::vector<std::vector<double>> critical_path(const JobRows& job, const Matches& matches, const Waits& waits,
                                               const Clocks& clocks) {
  const Detours detours = find_detours(job, matches, waits, clocks);
  std::vector<std::vector<double>> out(job.ranks.size(), std::vector<double>(matches.steps.size(), 0));
  const auto start_of = [&](std::size_t r, std::size_t s) {
    return clocks.on_first(r, job.ranks[r].start[matches.step_rows[r][s]]);
  };
  for (std::size_t s = 1; s < matches.steps.size(); ++s) {
    std::size_t rank = 0;
    std::int64_t time = 0;
    for (std::size_t r = 0; r < job.ranks.size(); ++r) {
      const std::int64_t end = clocks.on_first(r, job.ranks[r].end[matches.step_rows[r][s]]);
      if (r == 0 || end > time) {
        time = end;
        rank = r;
      }
    }
    while (true) {
      const std::vector<Detour>& own = detours[rank][s];
      // The last wait that began before the current point of the path and leads back in time.
      auto at = std::ranges::partition_point(own, [&](const Detour& d) { return d.begin < time; });
      while (at != own.begin() && (at - 1)->arrival >= time) --at;
      if (at == own.begin()) break;
      const Detour& next = *(at - 1);
      out[rank][s] += static_cast<double>(time - next.arrival);
      time = next.arrival;
      rank = next.last;
    }
    out[rank][s] += static_cast<double>(std::max<std::int64_t>(0, time - start_of(rank, s)));
  }
  return out;
}

Slowdown slowdown_of(const Waits& waits, std::vector<double> RankWaits::* times) {
  Slowdown out;
  const std::size_t ranks = waits.ranks.size(), steps = (waits.ranks[0].*times).size();
  std::vector<double> sums(ranks, 0);
  out.worst_share.assign(ranks, 0);
  for (std::size_t s = 1; s < steps; ++s) {
    double sum = 0;
    std::size_t worst = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      const double time = (waits.ranks[r].*times)[s];
      sum += time;
      sums[r] += time;
      if (time > (waits.ranks[worst].*times)[s]) worst = r;
    }
    const double mean = sum / static_cast<double>(ranks);
    out.of_steps.push_back(mean > 0 ? (waits.ranks[worst].*times)[s] / mean : 1);
    ++out.worst_share[worst];
  }
  if (out.of_steps.empty()) return out;
  for (double& share : out.worst_share) share /= static_cast<double>(out.of_steps.size());
  out.median = median(out.of_steps);
  out.greatest = static_cast<std::size_t>(std::ranges::max_element(sums) - sums.begin());
  double all = 0;
  for (const double sum : sums) all += sum;
  if (all > 0) out.of_means = sums[out.greatest] * static_cast<double>(ranks) / all;
  return out;
}

std::vector<std::vector<double>> excesses(const Waits& waits) {
  const std::size_t ranks = waits.ranks.size(), steps = waits.ranks[0].own.size();
  std::vector<std::vector<double>> out(ranks, std::vector<double>(std::size(kParts), 0));
  if (ranks < 2 || steps < 2) return out;
  for (std::size_t p = 0; p < std::size(kParts); ++p) {
    std::vector<double> sums(steps, 0);
    for (const RankWaits& rank : waits.ranks) {
      for (std::size_t s = 1; s < steps; ++s) sums[s] += (rank.*kParts[p])[s];
    }
    for (std::size_t r = 0; r < ranks; ++r) {
      std::vector<double> over;
      for (std::size_t s = 1; s < steps; ++s) {
        const double own = (waits.ranks[r].*kParts[p])[s];
        over.push_back(own - (sums[s] - own) / static_cast<double>(ranks - 1));
      }
      out[r][p] = median_in_place(over);
    }
  }
  return out;
}

namespace {

/// With fewer steps the correlation of neighbours cannot be estimated, and the limit is already wide because of its
/// degrees of freedom.
constexpr std::size_t kFewest = 8;

/// Lag-1 autocorrelation, corrected for its bias in short series (Marriott and Pope 1954); 0 for constant values.
double lag_of(const std::vector<double>& values) {
  const double middle = mean(values), n = static_cast<double>(values.size());
  double product = 0, square = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    square += (values[i] - middle) * (values[i] - middle);
    if (i > 0) product += (values[i] - middle) * (values[i - 1] - middle);
  }
  if (square <= 0) return 0;
  const double raw = product / square;
  return raw + (1 + 4 * std::max(0.0, raw)) / n;
}

/// Lag-1 autocorrelation to assume for one rank: one standard error above the estimate, but 0 if the estimate is within
/// one of 0, and kUntilMany for few steps. At least the value common to all ranks: otherwise, of many ranks, some that
/// look independent by chance would be named for it.
double correlation_of(const std::vector<double>& values, double of_all) {
  constexpr std::size_t kMany = 20;
  constexpr double kUntilMany = 0.3;  // fewer than kMany steps cannot prove independence
  if (values.size() < kFewest) return 0;
  const double found = lag_of(values),
               error = std::sqrt(std::max(0.0, 1 - found * found) / static_cast<double>(values.size()));
  const double least = std::max(of_all, values.size() < kMany ? kUntilMany : 0);
  return found <= error ? least : std::clamp(found + error, least, 0.95);
}

/// The correlation common to all ranks, if it exceeds its error.
double common_correlation(const std::vector<std::vector<double>>& ranks) {
  if (ranks[0].size() < kFewest) return 0;
  double sum = 0;
  for (const std::vector<double>& values : ranks) sum += lag_of(values);
  const double count = static_cast<double>(ranks.size()), found = sum / count;
  const double error = 1 / std::sqrt(count * static_cast<double>(ranks[0].size()));
  return found > 2 * error ? std::min(found, 0.95) : 0;
}

/// Trimmed mean with its lower limit; `tail` is the probability that the limit is above the true value, `correlation`
/// the value common to all ranks.
PairedExcess trimmed(std::vector<double> values, double tail, double correlation) {
  constexpr double kTrimmed = 0.2;
  const std::size_t n = values.size(), cut = static_cast<std::size_t>(kTrimmed * static_cast<double>(n));
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  PairedExcess out;
  out.mean = mean(std::span(sorted).subspan(cut, n - 2 * cut));
  out.low = -std::numeric_limits<double>::infinity();
  if (n < 3) return out;
  for (double& value : values) value = std::clamp(value, sorted[cut], sorted[n - 1 - cut]);
  const double middle = mean(values), kept = static_cast<double>(n - 2 * cut);
  double square = 0;
  for (const double value : values) square += (value - middle) * (value - middle);
  const double r = correlation_of(values, correlation), counts = static_cast<double>(n) * (1 - r) / (1 + r);
  const double spread = std::sqrt(square / static_cast<double>(n - 1)) * static_cast<double>(n) / kept;
  const double degrees = std::max(1.0, (kept - 1) * (1 - r) / (1 + r));
  out.low = out.mean - student_t_quantile(1 - tail, degrees) * spread / std::sqrt(counts);
  // A few steps with a slight drift look fully correlated, and their limit becomes excessively wide: noise with that
  // much persistence still does not move a rank by this many of its own spreads.
  constexpr double kBeyondNoise = 20;
  constexpr std::size_t kEnough = 6;
  if (n >= kEnough) out.low = std::max(out.low, out.mean - kBeyondNoise * spread);
  return out;
}

}  // namespace

std::vector<PairedExcess> paired_excess(const Waits& waits, std::vector<double> RankWaits::* times,
                                        double false_names) {
  const std::size_t ranks = waits.ranks.size(), steps = (waits.ranks[0].*times).size();
  std::vector<PairedExcess> out(ranks);
  if (ranks < 2 || steps < 2) return out;
  std::vector<double> sums(steps, 0);
  for (const RankWaits& rank : waits.ranks) {
    for (std::size_t s = 1; s < steps; ++s) sums[s] += (rank.*times)[s];
  }
  std::vector<std::vector<double>> over(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    for (std::size_t s = 1; s < steps; ++s) {
      const double own = (waits.ranks[r].*times)[s], others = (sums[s] - own) / static_cast<double>(ranks - 1);
      over[r].push_back(others > 0 ? own / others - 1 : 0);
    }
  }
  const double correlation = common_correlation(over), tail = false_names / (2 * static_cast<double>(ranks));
  for (std::size_t r = 0; r < ranks; ++r) out[r] = trimmed(std::move(over[r]), tail, correlation);
  return out;
}

std::optional<Straggler> find_straggler(const Waits& waits, const std::vector<std::vector<double>>& parts,
                                        const NamingRule& rule) {
  for (const auto times : {&RankWaits::own, &RankWaits::cycle}) {
    const std::vector<PairedExcess> excess = paired_excess(waits, times, rule.false_names);
    const auto slow = [&](const PairedExcess& e) { return e.low > 0 && e.mean >= rule.least_excess; };
    const auto at = std::ranges::find_if(excess, slow);
    if (at == excess.end() || !(waits.all > 0)) continue;
    if (std::ranges::count_if(excess, slow) > 1) return std::nullopt;
    const auto rank = static_cast<std::size_t>(at - excess.begin());
    const auto cause = std::ranges::max_element(parts[rank]) - parts[rank].begin();
    return Straggler{rank, *at, static_cast<Part>(cause)};
  }
  return std::nullopt;
}

}  // namespace assay::ranks
