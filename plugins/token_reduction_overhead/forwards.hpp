// What one forward pass asks of the device, kernel name by kernel name.
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

/// What a kernel is to token reduction; kOther where its class is of neither list.
inline constexpr std::string_view kDynamic = "dynamic", kMemory = "memory", kOther = "other";
/// Stands for the kernels of a class whose names are not listed.
inline constexpr std::string_view kRest = "(rest)";

/// The rules that give a kernel its class, and the classes that are dynamic or memory work.
struct TokenClasses {
  NameRules rules;
  std::vector<std::string> dynamic, memory;

  /// kDynamic, kMemory or kOther.
  [[nodiscard]] std::string_view class_of(std::string_view kernel) const;
};

/// Kernels of one short name and class over all forwards.
struct NamedKernels {
  std::string_view kernel_class;
  std::string name;
  std::int64_t time = 0;  ///< sum of durations, ns
  std::int64_t count = 0;
  BoundTimes bounds = {};  ///< `time` by what bounds the kernels; nothing where the run has no counters
};

/// Copies or sets launched inside the forwards.
struct MemoryWork {
  std::int64_t time = 0;              ///< sum of durations, ns
  std::optional<std::int64_t> bytes;  ///< nothing when a size is not known
};

struct Forwards {
  std::size_t count = 0;                   ///< iterations wholly inside the window
  std::vector<NamedKernels> kernels;       ///< by time descending, then class and name
  std::optional<MemoryWork> copies, sets;  ///< nothing: not captured
};

/// "gatherTopK" of "void at::native::sbtopk::gatherTopK<float, ...>(...)": without what it returns, takes, and is
/// inside of.
std::string base_name(std::string_view demangled);

/// Sums over the work whose launching call lies inside an iteration. Classes are given by the full names. Needs kernels
/// with names; without calls or iterations `count` is 0. `bound_threshold` as in bound_of.
Forwards measure_forwards(const Report& report, const TokenClasses& classes, double bound_threshold);

/// At most `limit` names, those with the most time; the others become one row a class, named kRest. Sums stay the same.
std::vector<NamedKernels> bounded(std::vector<NamedKernels> kernels, std::size_t limit);

}  // namespace assay::tokens
