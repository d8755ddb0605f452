#include "assay/detail/resampled_runs.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace assay {

namespace detail {

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
      known = log_median(drawn_);
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

  double draw_unkept(Random& random) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      drawn_[r] = runs_[r].summary == RunSummary::kMean ? draw_mean(r, random)
                                                        : medians_[r].median_at(medians_[r].draw(random));
    }
    return log_median(drawn_);
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
