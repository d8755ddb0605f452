// The device work of one forward pass, by kernel name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/speed_of_light.hpp"
#include "assay/report.hpp"

namespace assay::tokens {

/// Role of a kernel in token reduction; kOther if its class is in neither list.
inline constexpr std::string_view kDynamic = "dynamic", kMemory = "memory", kOther = "other";
/// Combines the kernels of a class whose names are not listed.
inline constexpr std::string_view kRest = "(rest)";

/// The rules that classify kernels, and the classes of dynamic and memory work.
struct TokenClasses {
  NameRules rules;
  std::vector<std::string> dynamic, memory;

  /// kDynamic, kMemory or kOther.
  [[nodiscard]] std::string_view class_of(std::string_view kernel) const;
};

/// Kernels of one short name and class over all forward passes.
struct NamedKernels {
  std::string_view kernel_class;
  std::string name;
  std::int64_t time = 0;  ///< sum of durations, ns
  std::int64_t count = 0;
  BoundTimes bounds = {};  ///< `time` by what bounds the kernels; empty if the run has no counters
};

/// Copies or sets launched inside the forward passes.
struct MemoryWork {
  std::int64_t time = 0;              ///< sum of durations, ns
  std::optional<std::int64_t> bytes;  ///< empty if a size is unknown
};

struct Forwards {
  std::size_t count = 0;                   ///< iterations entirely inside the window
  std::vector<NamedKernels> kernels;       ///< by time descending, then class and name
  std::optional<MemoryWork> copies, sets;  ///< empty: not captured
};

/// "gatherTopK" from "void at::native::sbtopk::gatherTopK<float, ...>(...)": without return type, parameters and scope.
std::string base_name(std::string_view demangled);

/// Sums over the work whose launching call is inside an iteration. Classes are determined from full names. Requires
/// kernels with names; without calls or iterations `count` is 0.
Forwards measure_forwards(const Report& report, const TokenClasses& classes);

/// At most `limit` names, those with the most time; the others become one row per class, named kRest. Sums stay the
/// same.
std::vector<NamedKernels> bounded(std::vector<NamedKernels> kernels, std::size_t limit);

}  // namespace assay::tokens
