// The samples of one GPU by time.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::gpu_metrics {

/// Numbers [first, last) of the samples of a GPU.
struct SampleRange {
  std::size_t first = 0, last = 0;
};

/// Samples of a GPU, ascending by time.
struct DeviceSamples {
  std::int32_t device = 0;
  std::vector<std::int64_t> times;  ///< ns, at the end of what was sampled
  std::vector<std::uint32_t> rows;  ///< of the table

  /// Samples from `start` to `end`, both inclusive.
  [[nodiscard]] SampleRange within(std::int64_t start, std::int64_t end) const;
  /// Median time from sample to sample, ns; 0: fewer than two.
  [[nodiscard]] std::int64_t period() const;
};

/// By number of the GPU; empty: the profile has no samples.
std::vector<DeviceSamples> samples_by_device(const DeclaredTable& table);

/// Sorted, disjoint and without empty ones.
std::vector<SampleRange> merged(std::vector<SampleRange> ranges);

}  // namespace assay::gpu_metrics
