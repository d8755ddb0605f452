// Costs and gains of a larger batch: latency of a batch against samples per second.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/sweeps.hpp"

namespace assay::pipeline {

struct BatchPoint {
  std::string batch;
  double latency_ns = 0;     ///< time between the ends of successive batches; median over the runs
  double device_ns = 0;      ///< GPU busy time of a batch; NaN if unknown
  double samples_per_s = 0;  ///< batch / latency
  std::size_t runs = 0;
  std::vector<std::int64_t> facts;
};

struct BatchScale {
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<BatchPoint> points;  ///< ascending; at least two
};

/// Sweeps along the batch label with at least two levels of positive `latency`.
std::vector<BatchScale> batch_scales(const StudyView& view, const std::string& batch, const std::string& latency,
                                     const std::string& device);

}  // namespace assay::pipeline
