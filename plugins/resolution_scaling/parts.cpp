#include "parts.hpp"

#include "assay/algo/participation.hpp"
#include "assay/algo/summary.hpp"

namespace assay::scaling {
namespace {

struct RunParts {
  std::array<double, 3> ns{};
  bool attention_known = false;
};

/// Parts of one run per iteration; empty without kernels or iterations.
std::optional<RunParts> run_parts(const StudyView& view, Row report, const std::string& attention) {
  const auto kernels = view.value(report, "kernel.time_sum_ns");
  const auto iterations = view.value(report, "iteration.count");
  if (!kernels || !iterations || !(*iterations > 0)) return std::nullopt;
  RunParts parts;
  const auto in_attention = view.value(report, "kernel_class.time_sum_ns", "class=" + attention);
  bool classes = false;
  view.each_fact(report, "kernel_class.time_sum_ns", [&](std::size_t) { classes = true; });
  parts.attention_known = classes;
  parts.ns[kAttention] = in_attention.value_or(0) / *iterations;
  parts.ns[kOtherKernels] = std::max(0.0, *kernels / *iterations - parts.ns[kAttention]);
  for (const char* direction : {"direction=h2d", "direction=d2h"}) {
    parts.ns[kCopies] += view.value(report, "copy.time_sum_ns", direction).value_or(0) / *iterations;
  }
  return parts;
}

}  // namespace

std::optional<Part> Parts::fastest() const {
  if (levels.size() < 2) return std::nullopt;
  std::optional<Part> best;
  for (const Part part : {kCopies, kAttention, kOtherKernels}) {
    if (!(levels.front().ns[part] > 0)) continue;
    if (!best || factor(part) > factor(*best)) best = part;
  }
  return best;
}

double Parts::factor(Part part) const {
  return levels.front().ns[part] > 0 ? levels.back().ns[part] / levels.front().ns[part]
                                     : std::numeric_limits<double>::quiet_NaN();
}

Parts parts_of(const StudyView& view, const LabelSweep& sweep, const std::string& attention) {
  Parts parts;
  std::vector<CrossoverLevel> copies;
  for (std::size_t l = 0; l < sweep.levels.size(); ++l) {
    LevelParts level{l, sweep.levels[l].order, {}};
    for (std::size_t p = 0; p < level.ns.size(); ++p) {
      std::vector<double> values =
          values_of_runs(view, sweep.levels[l].reports, [&](std::size_t report) -> std::optional<double> {
            const auto run = run_parts(view, static_cast<Row>(report), attention);
            parts.attention_known = parts.attention_known || (run && run->attention_known);
            return run ? std::optional(run->ns[p]) : std::nullopt;
          });
      level.ns[p] = values.empty() ? 0 : median_in_place(values);
    }
    if (!(level.kernels() > 0)) continue;
    copies.push_back({level.at, level.ns[kCopies] / level.kernels(), {}});
    parts.levels.push_back(level);
  }
  parts.copies_dominate = crossover(copies);
  return parts;
}

}  // namespace assay::scaling
