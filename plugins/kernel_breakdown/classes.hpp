// Classifies kernels by rules: class and use of tensor cores.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "algo/tensor_core_uses.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "measured.hpp"

namespace assay::breakdown {

struct Kind {
  std::size_t kernel_class = 0;  ///< see Classifier::class_name
  std::size_t tensor_cores = 2;  ///< index into kTensorCoreUses
};

/// Caches results by name, since names repeat thousands of times. Refers to all three arguments.
class Classifier {
 public:
  Classifier(const Report& report, const NameRules& classes, const NameRules& tensor_cores)
      : report_(&report), classes_(&classes), tensor_cores_(&tensor_cores) {}

  const Kind& kind_of(StringId name, std::int32_t device);
  /// Number of classes including 'unknown', the last.
  [[nodiscard]] std::size_t class_count() const { return classes_->classes().size() + 1; }
  [[nodiscard]] std::string_view class_name(std::size_t index) const {
    return index + 1 < class_count() ? std::string_view(classes_->classes()[index]) : kUnknownClass;
  }

 private:
  [[nodiscard]] ComputeCapability capability(std::int32_t device) const;

  const Report* report_;
  const NameRules* classes_;
  const NameRules* tensor_cores_;
  std::map<std::pair<StringId, std::int32_t>, Kind> known_;
};

/// Time of one class (or one answer about tensor cores).
struct Share {
  std::int64_t count = 0;
  std::int64_t time = 0;              ///< sum of durations, ns
  std::vector<double> times, counts;  ///< per iteration: ns, launches
};

struct Breakdown {
  std::int64_t count = 0;
  std::int64_t time = 0;              ///< sum of durations, ns
  std::vector<Share> classes;         ///< by class index
  std::array<Share, 3> tensor_cores;  ///< without per-iteration values
};

/// Sums over the kernels. `iterations`: their number; 0: no per-iteration values.
Breakdown break_down(std::span<const MeasuredKernel> kernels, std::size_t iterations, Classifier& classes);

}  // namespace assay::breakdown
