#include "assay/detail/block_noise.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/summary.hpp"

namespace assay {

const SeriesNoise& RunningNoise::add(double value) {
  if (now_.n == 0) first_ = value;
  const double shifted = value - first_, count = static_cast<double>(++now_.n);
  const double before = now_.mean - (now_.n == 1 ? 0 : first_), mean = before + (shifted - before) / count;
  squares_ += (shifted - before) * (shifted - mean);
  if (now_.n > 1) {
    const double step = (shifted - last_) * (shifted - last_);
    steps_ += step;
    most_step_ = std::max(most_step_, step);
  }
  last_ = shifted;
  least_ = std::min(least_, shifted);
  most_ = std::max(most_, shifted);
  sum_ += shifted;
  sums_squared_ += sum_ * sum_;
  weighted_sums_ += count * sum_;
  now_.mean = first_ + mean;
  now_.range = most_ - least_;
  now_.largest = std::max(now_.largest, std::abs(value));
  if (now_.n > 2) now_.step_sd = std::sqrt(std::max(0.0, steps_ - most_step_) / 2 / (count - 2));
  if (now_.n < 2) return now_;
  now_.sd = std::sqrt(squares_ / (count - 1));
  if (!(squares_ > 0)) return now_;
  now_.correlation = 1 - steps_ / squares_ / 2;
  const double of_numbers = count * (count + 1) * (2 * count + 1) / 6;  // 1 + 4 + 9 + ..
  const double sums = sums_squared_ - 2 * mean * weighted_sums_ + mean * mean * of_numbers;
  now_.partial_sums = std::max(0.0, sums) * (count - 1) / squares_ * 6 / (count * count - 1);
  return now_;
}

BlockNoise pooled(std::span<const SeriesNoise> series) {
  BlockNoise out;
  std::vector<double> variances, step_sds;
  double correlation = 0, partial_sums = 0;
  for (const SeriesNoise& one : series) {
    if (one.n < 2) continue;
    variances.push_back(one.sd * one.sd);
    step_sds.push_back(one.step_sd);
    correlation += one.correlation;
    partial_sums += one.partial_sums;
    out.range = std::max(out.range, one.range);
    out.twins = out.twins || one.twins;
    if (one.twins) out.twins_apart = std::max(out.twins_apart, one.largest);
  }
  out.series = variances.size();
  if (variances.empty()) return out;
  const auto count = static_cast<double>(variances.size());
  out.correlation = correlation / count;
  out.partial_sums = partial_sums / count;
  out.pooled_sd = std::sqrt(mean(variances));
  out.typical_sd = std::sqrt(median_in_place(variances));
  out.step_sd = median_in_place(step_sds);
  return out;
}

void RecordingNoise::add(const BlockSeries& series) {
  NoiseHistory seen{series.block, {}};
  RunningNoise running(series.twins);
  for (const double value : series.value) seen.after.push_back(running.add(value));
  series_.push_back(std::move(seen));
}

BlockNoise RecordingNoise::up_to(double block) const {
  std::vector<SeriesNoise> now;
  for (const NoiseHistory& seen : series_) {
    const auto end = std::upper_bound(seen.block.begin(), seen.block.end(), block);
    if (end != seen.block.begin()) now.push_back(seen.after[static_cast<std::size_t>(end - seen.block.begin()) - 1]);
  }
  return pooled(now);
}

}  // namespace assay
