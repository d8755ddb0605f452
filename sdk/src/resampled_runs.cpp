#include "assay/detail/resampled_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace assay {

namespace detail {

namespace {
/// A probability that no number of resamples shows.
constexpr double kNothing = 1e-15;
}  // namespace

MedianDraw::MedianDraw(std::span<const double> sample, std::size_t block)
    : sorted_(sample.begin(), sample.end()), rank_(sample.size()), block_(block) {
  std::sort(sorted_.begin(), sorted_.end());
  for (std::size_t i = 0; i < rank_.size(); ++i)
    rank_[i] =
        static_cast<std::uint32_t>(std::lower_bound(sorted_.begin(), sorted_.end(), sample[i]) - sorted_.begin());
  if (size() > kShort) {
    counts_.resize(size());
  } else if (!sample.empty()) {
    make_cells();
  }
}

double MedianDraw::probability(std::size_t rank, std::size_t empty_to, std::size_t least, std::size_t most) const {
  const std::size_t n = size();
  std::array<double, kShort + 1> held = {1}, next, of_block;  // by number of values up to `rank`
  std::size_t most_held = 0;
  for (std::size_t drawn = 0, length = 0; drawn < n; drawn += length) {
    const std::size_t before = length;
    length = std::min(block_, n - drawn);
    if (length != before) {  // all blocks are alike but for the last
      of_block.fill(0);
      for (std::size_t from = 0; from < n; ++from) {
        std::size_t low = 0, between = 0;
        for (std::size_t i = 0; i < length; ++i) {
          const std::size_t place = rank_[(from + i) % n];
          low += place <= rank ? 1 : 0;
          between += place > rank && place <= empty_to ? 1 : 0;
        }
        if (between == 0) of_block[low] += 1 / static_cast<double>(n);
      }
    }
    const std::size_t most_next = std::min(most_held + length, most);
    std::fill_n(next.begin(), most_next + 1, 0);
    for (std::size_t b = 0; b <= length; ++b) {
      if (of_block[b] == 0) continue;
      const std::size_t fits = std::min(most_held + 1, most_next + 1 - std::min(b, most_next + 1));
      for (std::size_t h = 0; h < fits; ++h) next[h + b] += held[h] * of_block[b];
    }
    most_held = most_next;
    std::copy_n(next.begin(), most_held + 1, held.begin());
  }
  double sum = 0;
  for (std::size_t h = least; h <= most_held; ++h) sum += held[h];
  return sum;
}

// With half = n / 2: the lower of the two middle values is at most of rank i where the resample holds at least (n + 1)
// / 2 of the values up to i; of an even number the upper one is then above rank j where it holds just half, and none
// between.
std::vector<MedianDraw::Chance> MedianDraw::chances() const {
  const auto n = static_cast<std::uint32_t>(size());
  const std::size_t half = n / 2;
  std::vector<Chance> out;
  const auto add = [&](std::uint32_t below, std::uint32_t above, double p) {
    if (p > 0) out.push_back({{below, above}, p});
  };
  // By j: the probability that the lower one is at most of rank i and the upper one above j; of rank i - 1 before.
  std::vector<double> apart(n + 1, 0), apart_before(n + 1, 0);
  double before = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double up_to = probability(i, i, (n + 1) / 2, n);
    double equal = up_to - before;
    if (n % 2 == 0) {
      std::fill(apart.begin(), apart.end(), 0);
      for (std::uint32_t j = i; j < n; ++j) {
        apart[j] = probability(i, j, half, half);
        if (apart[j] < kNothing) break;  // the further apart, the less probable
      }
      for (std::uint32_t j = i + 1; j < n; ++j) {
        const double p = (apart[j - 1] - apart[j]) - (apart_before[j - 1] - apart_before[j]);
        add(i, j, p);
        equal -= std::max(p, 0.0);
      }
      apart_before.swap(apart);
    }
    add(i, i, equal);
    before = up_to;
  }
  return out;
}

void MedianDraw::make_cells() {
  const std::vector<Chance> all = chances();
  double sum = 0;
  for (const Chance& chance : all) sum += chance.probability;
  std::vector<double> left;  // of each place, in cells
  std::vector<std::size_t> small, large;
  for (const Chance& chance : all) {
    (left.emplace_back(chance.probability / sum * static_cast<double>(all.size())) < 1 ? small : large)
        .push_back(cells_.size());
    cells_.push_back({chance.place, chance.place, 1});
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t s = small.back(), l = large.back();
    small.pop_back();
    cells_[s].share = left[s];
    cells_[s].other = all[l].place;
    left[l] -= 1 - left[s];
    if (left[l] < 1) {
      large.pop_back();
      small.push_back(l);
    }
  }
}

MedianPlace MedianDraw::draw_counted(Random& shared) {
  Random random = shared;  // whose state then stays in registers
  const std::size_t n = size();
  std::fill(counts_.begin(), counts_.end(), 0);
  for (std::size_t i = 0; i < n;) {
    std::size_t from = random.index(n);
    for (const std::size_t last = std::min(n, i + block_); i < last; ++i) {
      ++counts_[rank_[from]];
      from = from + 1 == n ? 0 : from + 1;
    }
  }
  shared = random;
  std::size_t sum = 0;
  std::uint32_t rank = 0;
  while ((sum += counts_[rank]) < (n + 1) / 2) ++rank;
  const std::uint32_t below = rank;
  while (sum < n / 2 + 1) sum += counts_[++rank];
  return {below, rank};
}

namespace {

// The log of the median of one side's runs: observed, resampled, and without some samples.
class ResampledSide {
 public:
  // `blocks` are those of these runs.
  ResampledSide(std::span<const RunSamples> runs, std::span<const std::size_t> blocks) : runs_(runs), blocks_(blocks) {
    std::size_t outcomes = 1;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::size_t n = runs[r].values.size();
      medians_.emplace_back(runs[r].values, blocks[r]);
      observed_.push_back(summary(runs[r].summary, {runs[r].values.begin(), runs[r].values.end()}));
      factor_.push_back(outcomes);
      const std::size_t of_run = n % 2 == 1 ? n : n * n;
      outcomes = runs[r].summary == RunSummary::kMean || outcomes > kKept / of_run ? 0 : outcomes * of_run;
    }
    drawn_ = observed_;
    places_.resize(runs.size());
    kept_.assign(outcomes, std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] double observed() const { return log_median(observed_); }

  double draw(Random& random) {
    if (kept_.empty()) return draw_unkept(random);
    std::size_t outcome = 0;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      places_[r] = medians_[r].draw(random);
      const std::size_t n = medians_[r].size();
      outcome += factor_[r] * (n % 2 == 1 ? places_[r].above : places_[r].below * n + places_[r].above);
    }
    double& known = kept_[outcome];
    if (std::isnan(known)) {
      for (std::size_t r = 0; r < runs_.size(); ++r) drawn_[r] = medians_[r].median_at(places_[r]);
      known = log_of_drawn();
    }
    return known;
  }

  [[nodiscard]] double without(std::size_t run, std::size_t first, std::size_t last) const {
    const std::span<const double> all = runs_[run].values;
    std::vector<double> rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(last), all.end());
    std::vector<double> values = observed_;
    values[run] = summary(runs_[run].summary, std::move(rest));
    return log_median(std::move(values));
  }

 private:
  static constexpr std::size_t kKept = 65536;  // combinations of medians of which the log is kept, at most

  static double summary(RunSummary kind, std::vector<double> samples) {
    return kind == RunSummary::kMean ? mean(samples) : median_in_place(samples);
  }
  static double log_median(std::vector<double> values) { return std::log(median_in_place(values)); }
  double log_of_drawn() { return std::log(median_in_place(drawn_)); }  // which are out of order then

  double draw_unkept(Random& random) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      drawn_[r] = runs_[r].summary == RunSummary::kMean ? draw_mean(r, random)
                                                        : medians_[r].median_at(medians_[r].draw(random));
    }
    return log_of_drawn();
  }

  double draw_mean(std::size_t run, Random& random) const {
    const std::span<const double> sample = runs_[run].values;
    const std::size_t n = sample.size();
    double sum = 0;
    for (std::size_t i = 0; i < n;) {
      std::size_t from = random.index(n);
      for (const std::size_t last = std::min(n, i + blocks_[run]); i < last; ++i) {
        sum += sample[from];
        from = from + 1 == n ? 0 : from + 1;
      }
    }
    return sum / static_cast<double>(n);
  }

  std::span<const RunSamples> runs_;
  std::span<const std::size_t> blocks_;
  std::vector<MedianDraw> medians_;
  std::vector<double> observed_, drawn_;  //< values of the runs
  std::vector<std::size_t> factor_;       //< of a run's outcome in that of the side
  std::vector<MedianPlace> places_;
  std::vector<double> kept_;  //< by outcome of the side, NaN: not met yet; empty: too many, or a mean among the runs
};

}  // namespace

}  // namespace detail

Bounds bootstrap_log_ratio(std::span<const RunSamples> base, std::span<const RunSamples> treated,
                           const BootstrapPlan& plan) {
  detail::BlockLengths lengths;
  for (const std::span<const RunSamples> side : {base, treated}) {
    for (const RunSamples& run : side) {
      if (run.values.empty() ||
          std::any_of(run.values.begin(), run.values.end(), [](double x) { return std::isnan(x); }))
        return {};
      lengths.add(run.values, plan);
    }
  }
  if (treated.empty()) return {};
  const std::span<const std::size_t> blocks = lengths.blocks;
  detail::ResampledSide denominator(base, blocks.first(base.size()));
  detail::ResampledSide numerator(treated, blocks.subspan(base.size()));
  const auto ratio = [&](double top, double bottom) { return base.empty() ? top : top - bottom; };
  const double bottom = base.empty() ? 0 : denominator.observed(), top = numerator.observed();
  const auto replicate = [&](Random& random) {
    const double drawn = base.empty() ? 0 : denominator.draw(random);  // base first: the order of the draws
    return ratio(numerator.draw(random), drawn);
  };
  const auto without = [&](std::size_t s, std::size_t first, std::size_t last) {
    return s < base.size() ? ratio(top, denominator.without(s, first, last))
                           : ratio(numerator.without(s - base.size(), first, last), bottom);
  };
  return detail::bca_interval(lengths, ratio(top, bottom), plan, replicate, without);
}

}  // namespace assay
