// What a stage of an analyzer costs, measured in a process of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/abi.hpp"

namespace assay {

struct Cost {
  std::uint64_t kernels = 0;    ///< of the report; 0 of the other stages
  std::uint64_t memory = 0;     ///< bytes that the stage took at most beyond its input's
  std::vector<double> seconds;  ///< of the processor, of each call
  std::vector<double> pass;     ///< of each plain pass over the kernel table: copies the times and adds them up
  std::string problem;          ///< why it was not measured; empty when it was
};

/// Calls `stage`, which says why it failed, once for the memory and then `runs` times; what takes short more often, so
/// that the least time is one in which nothing came between.
Cost measure_stage(const std::function<std::string()>& stage, unsigned runs);

/// `analyze`, with a plain pass over the kernel table before each call.
Cost measure_cost(const Descriptor& declared, const Analyzer& analyzer, const Report& report, unsigned runs);

/// `work` in a process of its own, so that neither an earlier report's memory nor a crash is in the way.
Cost measured_apart(const std::function<Cost()>& work, const std::atomic<bool>& stop);

}  // namespace assay
