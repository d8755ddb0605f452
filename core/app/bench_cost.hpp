// What an analyzer costs one report, measured in a process of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assay/abi.hpp"

namespace assay {

struct Cost {
  std::uint64_t kernels = 0;
  std::uint64_t memory = 0;     ///< bytes that `analyze` took at most beyond the report's
  std::vector<double> seconds;  ///< of each call of `analyze`
  std::vector<double> pass;     ///< of each plain pass over the kernel table: copies the times and adds them up
  std::string problem;          ///< why it was not measured; empty when it was
};

/// Calls `analyze` once for the memory, then `runs` times, each after a plain pass over the kernel table.
Cost measure_cost(const Descriptor& declared, const Analyzer& analyzer, const Report& report, unsigned runs);

/// `work` in a process of its own, so that neither an earlier report's memory nor a crash is in the way.
Cost measured_apart(const std::function<Cost()>& work, const std::atomic<bool>& stop);

}  // namespace assay
