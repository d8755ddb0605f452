// The samples of one GPU over time.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::gpu_metrics {

/// Samples [first, last) of a GPU.
struct SampleRange {
  std::size_t first = 0, last = 0;
};

/// Samples of a GPU, sorted by time.
struct DeviceSamples {
  std::int32_t device = 0;
  std::vector<std::int64_t> times;  ///< ns, at the end of each sampling period
  std::vector<std::uint32_t> rows;  ///< of the table

  /// Samples from `start` to `end`, both inclusive.
  [[nodiscard]] SampleRange within(std::int64_t start, std::int64_t end) const;
  /// Median interval between samples, ns; 0: fewer than two.
  [[nodiscard]] std::int64_t period() const;
};

/// By GPU number; empty: the profile has no samples.
std::vector<DeviceSamples> samples_by_device(const DeclaredTable& table);

/// Sorted, disjoint and without empty ranges.
std::vector<SampleRange> merged(std::vector<SampleRange> ranges);

}  // namespace assay::gpu_metrics
