// Texts about attention for the reports of a question.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "assay/algo/speed_of_light.hpp"
#include "assay/output.hpp"
#include "assay/study.hpp"
#include "shape.hpp"

namespace assay::attention {

/// One report, restored from its facts.
struct RunAttention {
  struct PartFacts {
    double gpu = 0, host = 0, ranges = 0, products = 0;  ///< ns, ns, 1, ns
    std::optional<std::int64_t> evidence;                ///< fact row of the GPU time; empty: no kernels in this part
    BoundTimes bounds;                                   ///< shares instead of times; empty without counters
    std::vector<std::int64_t> bound_facts;               ///< their rows
  };
  std::size_t report = 0;
  std::array<PartFacts, kPartNames.size()> parts;
  std::optional<double> ratio, ratio_to_products, host_ratio, batched_products;
  std::vector<double> ratios;  ///< of each iteration
  std::string_view fused;      ///< name of the fused kernel; empty: none
  double fused_time = 0, fused_count = 0;
  KnownShape shape;

  [[nodiscard]] bool separated() const { return ratio.has_value(); }
};

/// The question's own reports with attention of either kind.
std::vector<RunAttention> runs_of(const StudyView& view, const Shape& declared);

/// Operations per second of a part over its GPU time; empty if shape or time is unknown.
std::optional<double> flops_per_s(const RunAttention& run, Part part);

/// One answer per report whose parts can be separated, one note per report where they cannot, and doubts about the
/// shape.
std::vector<Finding> findings(const StudyView& view, const std::vector<RunAttention>& runs);

/// One row per profile and part.
Table part_table(const StudyView& view, const std::vector<RunAttention>& runs);

}  // namespace assay::attention
