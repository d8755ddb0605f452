// Measures the cost of an analyzer's stage, in its own process.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/abi.hpp"

namespace assay {

struct Cost {
  std::uint64_t kernels = 0;    ///< of the report; 0 for other stages
  std::uint64_t memory = 0;     ///< peak bytes of the stage beyond its input
  std::vector<double> seconds;  ///< CPU time of each call
  std::vector<double> pass;     ///< CPU time of each plain pass over the kernel table, which copies the times and adds
                                ///< them up
  std::string problem;          ///< why it was not measured; empty if it was
};

/// Calls `stage`, which returns why it failed, once for the memory and then `runs` times; short stages more often, so
/// that the minimum is undisturbed.
Cost measure_stage(const std::function<std::string()>& stage, unsigned runs);

/// Measures `analyze`, with a plain pass over the kernel table before each call.
Cost measure_cost(const Descriptor& declared, const Analyzer& analyzer, const Report& report, unsigned runs);

/// Runs `work` in its own process, so that neither memory of an earlier report nor a crash interferes.
Cost measured_apart(const std::function<Cost()>& work, const std::atomic<bool>& stop);

}  // namespace assay
