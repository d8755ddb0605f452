// The parts of an iteration's time at each level: copies, attention, other kernels.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "assay/algo/crossover.hpp"
#include "assay/algo/sweeps.hpp"

namespace assay::scaling {

enum Part : std::size_t { kCopies = 0, kAttention = 1, kOtherKernels = 2 };
inline constexpr std::array<std::string_view, 3> kPartNames = {"copies", "attention", "other kernels"};

/// Time per iteration at one level, in ns: for each part the median over its runs.
struct LevelParts {
  std::size_t level = 0;  ///< of the sweep
  double at = 0;
  std::array<double, 3> ns{};
  [[nodiscard]] double kernels() const { return ns[kAttention] + ns[kOtherKernels]; }
  [[nodiscard]] double share(Part part) const { return ns[part] / (ns[kCopies] + kernels()); }
};

struct Parts {
  std::vector<LevelParts> levels;  ///< those whose runs have kernels and iterations
  bool attention_known = false;    ///< false: without classes, all kernels are in the rest
  Crossover copies_dominate;       ///< level from which copying takes longer than the kernels; indices into `levels`

  /// The part with the largest growth factor from the first to the last level; empty with fewer than two levels.
  [[nodiscard]] std::optional<Part> fastest() const;
  /// Last over first; NaN if the first is 0.
  [[nodiscard]] double factor(Part part) const;
};

/// From kernel.time_sum_ns, copy.time_sum_ns (both directions), kernel_class.time_sum_ns (class=`attention`) and
/// iteration.count.
Parts parts_of(const StudyView& view, const LabelSweep& sweep, const std::string& attention);

}  // namespace assay::scaling
