// Device and host time of the parts of attention in one report.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/algo/speed_of_light.hpp"
#include "assay/report.hpp"
#include "shape.hpp"

namespace assay::attention {

/// Names of operators from the options: exact names.
struct OperatorNames {
  std::vector<std::string> products, softmax, whole;
};

/// The operators of each part, without nested ones. On each thread, the last product before a softmax computes its
/// scores and the first one after it its values. A softmax without both, and all other products, are not attention.
/// Empty if the report has no operators.
using OperatorParts = std::array<std::vector<NamedRanges::Instance>, kPartNames.size()>;
OperatorParts parts_by_operators(const Report& report, const OperatorNames& names);

/// Names of ranges and kernel classes from the options.
struct Names {
  std::array<std::vector<std::string>, kPartNames.size()> ranges;  ///< alternatives, by part
  OperatorNames operators;                                         ///< used if no part has a range
  NameRules rules;                                                 ///< assign kernels to classes
  bool iterations_only = false;                                    ///< measure only ranges inside iterations
};

struct PartTime {
  std::int64_t ranges = 0;                ///< number of measured ranges
  std::int64_t kernels = 0;               ///< launched inside them
  std::int64_t fused = 0;                 ///< of those kernels: fused attention
  std::int64_t other_thread = 0;          ///< of those kernels: launched by another thread than the range's
  std::int64_t gpu = 0;                   ///< union of the kernels, ns
  std::int64_t host = 0;                  ///< sum of the lengths of the ranges, ns
  std::int64_t products = 0;              ///< union of the kernels of the matrix product class, ns
  std::vector<double> gpu_per_iteration;  ///< ns; empty without iterations
  BoundTimes bounds;                      ///< durations of the kernels; empty if the run has no counters
};

struct FusedTime {
  std::int64_t kernels = 0;
  std::int64_t gpu = 0;  ///< union, ns
  std::string name;      ///< base name of the first one
};

struct AttentionTime {
  std::array<PartTime, kPartNames.size()> parts;
  FusedTime fused;
  std::optional<std::int64_t>
      batched_products;  ///< grid z of the product kernels, if it is the same number > 1 in both products
  std::size_t iterations = 0;
  bool by_operators = false;  ///< the parts are framework operators instead of ranges

  [[nodiscard]] bool has(Part part) const { return parts[part].kernels > 0; }
};

/// Requires kernels with names and calls; uses ranges, spans, operators, iterations and grids if present. Only kernels
/// of a named window.
AttentionTime measure(const Report& report, const Names& names);

}  // namespace assay::attention
