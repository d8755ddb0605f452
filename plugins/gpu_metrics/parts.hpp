// Parts of a profile whose samples are averaged: the whole, ranges, steps and classes of kernels.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "metrics.hpp"
#include "samples.hpp"

namespace assay::gpu_metrics {

constexpr std::array<double, kMeasures.size()> no_values() {
  std::array<double, kMeasures.size()> values{};
  values.fill(std::numeric_limits<double>::quiet_NaN());
  return values;
}

struct Part {
  std::string key, value;             ///< its dim; empty: from the first to the last work
  std::string title;                  ///< for tables: ranges are indented by depth
  std::vector<SampleRange> ranges{};  ///< disjoint, ascending
  std::vector<SampleRange> steps{};   ///< for steps: each step separately
  std::size_t samples = 0;
  std::array<double, kMeasures.size()> values = no_values();           ///< in the units of the metrics; NaN: unknown
  std::array<std::vector<double>, kMeasures.size()> step_values = {};  ///< of each step with enough samples
};

/// The parts of the work on the device of the samples, with their values: the whole first, then the `most` ranges with
/// the most samples in tree order, the steps, and the classes of kernels. A range has the samples from the begin of its
/// first work to the end of its last; a class those during at least nine tenths of which its kernels ran.
std::vector<Part> measure_parts(const Report& report, const DeclaredTable& table, const DeviceSamples& samples,
                                const NameRules& classes, std::size_t most);

}  // namespace assay::gpu_metrics
