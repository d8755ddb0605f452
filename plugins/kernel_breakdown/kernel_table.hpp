// The kernels by name, as `nsys stats cuda_gpu_kern_sum` lists them.
#pragma once

#include <string_view>
#include <vector>

#include "classes.hpp"
#include "measured.hpp"

namespace assay::breakdown {

struct KernelRow {
  std::string_view name;  ///< demangled; borrows the report
  std::string_view kind;  ///< class by the rules; that of the first kernel of the name
  std::string_view tensor_cores;
  StringId id = 0;
  std::int64_t instances = 0;
  std::int64_t time = 0;             ///< sum, ns
  double share = 0;                  ///< of the time of all rows, 0..1
  double mean = 0, median = 0;       ///< ns; the median of type 2
  std::int64_t least = 0, most = 0;  ///< ns
  double deviation = 0;              ///< sample standard deviation, ns; 0 for one instance
  double per_iteration = 0;          ///< launches inside iterations / iterations; 0 without iterations
};

/// One row a name, by time descending, then instances, then name.
std::vector<KernelRow> kernel_table(const Report& report, const Measured& measured, Classifier& classes);

/// Launches of one name in each iteration.
std::vector<double> launches_per_iteration(const Measured& measured, StringId name);

}  // namespace assay::breakdown
