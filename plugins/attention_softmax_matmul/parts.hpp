// Time of the parts of attention in one report: on the device and on the host.
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

/// Names of operators, as the options give them: whole strings.
struct OperatorNames {
  std::vector<std::string> products, softmax, whole;
};

/// Operators of each part, by part; nested ones are left out. On a thread the last product before a softmax is its
/// scores and the first one after it its values; a softmax without both, and every other product, is none of attention.
/// Nothing where the report has no operators.
using OperatorParts = std::array<std::vector<NamedRanges::Instance>, kPartNames.size()>;
OperatorParts parts_by_operators(const Report& report, const OperatorNames& names);

/// Names of ranges and classes of kernels, as the options give them.
struct Names {
  std::array<std::vector<std::string>, kPartNames.size()> ranges;  ///< alternatives, by part
  OperatorNames operators;                                         ///< where no part has a range
  NameRules rules;                                                 ///< that give a kernel its class
  std::string product_class;                                       ///< of kernels that are matrix products
  std::string fused_class;                                         ///< of kernels that do the whole of attention
  bool iterations_only = false;                                    ///< measure ranges inside iterations only
  double bound_threshold = 0;                                      ///< as in bound_of
};

struct PartTime {
  std::int64_t ranges = 0;                ///< ranges that were measured
  std::int64_t kernels = 0;               ///< launched inside them
  std::int64_t fused = 0;                 ///< of those: fused attention kernels
  std::int64_t other_thread = 0;          ///< of those: launched by another thread than the range's
  std::int64_t gpu = 0;                   ///< union of the kernels, ns
  std::int64_t host = 0;                  ///< sum of the ranges' lengths, ns
  std::int64_t products = 0;              ///< union of the kernels that are matrix products by their class, ns
  std::vector<double> gpu_per_iteration;  ///< ns; empty without iterations
  BoundTimes bounds;                      ///< of the kernels, durations; nothing where the run has no counters
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
      batched_products;  ///< grid z of the product kernels of both products where it is one number > 1
  std::size_t iterations = 0;
  bool by_operators = false;  ///< the parts are operators of the framework, not ranges

  [[nodiscard]] bool has(Part part) const { return parts[part].kernels > 0; }
};

/// Needs kernels with names and calls; ranges, spans, operators, iterations and grids where present. Kernels of a named
/// window only.
AttentionTime measure(const Report& report, const Names& names);

}  // namespace assay::attention
