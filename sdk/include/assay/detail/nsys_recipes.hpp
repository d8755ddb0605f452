// Recipes of nsys that assay supports: tables of `assay stats --over` from all exports of a folder. Used by the
// analyzer that computes the tables, and by the command to read only the columns needed.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "assay/detail/nsys_reports.hpp"

namespace assay {

/// How the rows of several reports are combined.
enum class NsysRecipeKind : std::uint8_t {
  kPooled,  ///< grouped by name, over all reports and per report
  kPace,    ///< the k-th occurrence of a kernel or range, side by side over the reports
  kUse,     ///< device utilization per stretch of time
};

/// A recipe. `report`: the report of nsys stats with its rows, `keys`: its name columns.
struct NsysRecipe {
  std::string_view name;
  NsysRecipeKind kind = NsysRecipeKind::kPooled;
  std::string_view report;
  Span<std::string_view> keys = {};
  std::string_view count = {};  ///< column with the count
  bool bytes = false;           ///< values are sizes instead of times
};

namespace nsys_keys {
inline constexpr std::string_view name[] = {"Name"};
inline constexpr std::string_view shape[] = {"GridXYZ", "BlockXYZ", "Name"};
inline constexpr std::string_view operation[] = {"Operation"};
inline constexpr std::string_view category[] = {"Category", "Operation"};
inline constexpr std::string_view source[] = {"Source", "Name"};
inline constexpr std::string_view range[] = {"Range"};
inline constexpr std::string_view style[] = {"Style", "Range"};
}  // namespace nsys_keys

inline constexpr NsysRecipe kNsysRecipes[] = {
    {"cuda_api_gpu_sum", NsysRecipeKind::kPooled, "cuda_api_gpu_sum", nsys_keys::category, "Instances"},
    {"cuda_api_sum", NsysRecipeKind::kPooled, "cuda_api_sum", nsys_keys::name, "Num Calls"},
    {"cuda_gpu_kern_gb_sum", NsysRecipeKind::kPooled, "cuda_gpu_kern_gb_sum", nsys_keys::shape, "Instances"},
    {"cuda_gpu_kern_pace", NsysRecipeKind::kPace, "cuda_gpu_kern_sum:base"},
    {"cuda_gpu_kern_sum", NsysRecipeKind::kPooled, "cuda_gpu_kern_sum", nsys_keys::name, "Instances"},
    {"cuda_gpu_mem_size_sum", NsysRecipeKind::kPooled, "cuda_gpu_mem_size_sum", nsys_keys::operation, "Count", true},
    {"cuda_gpu_mem_time_sum", NsysRecipeKind::kPooled, "cuda_gpu_mem_time_sum", nsys_keys::operation, "Count"},
    {"cuda_gpu_sum", NsysRecipeKind::kPooled, "cuda_gpu_sum", nsys_keys::category, "Instances"},
    {"gpu_time_util", NsysRecipeKind::kUse, "gpu_time_util"},
    {"mpi_event_sum", NsysRecipeKind::kPooled, "mpi_event_sum", nsys_keys::source, "Instances"},
    {"nvtx_gpu_proj_pace", NsysRecipeKind::kPace, "nvtx_gpu_proj_trace"},
    {"nvtx_gpu_proj_sum", NsysRecipeKind::kPooled, "nvtx_gpu_proj_sum", nsys_keys::style, "Instances"},
    {"nvtx_pushpop_sum", NsysRecipeKind::kPooled, "nvtx_pushpop_sum", nsys_keys::range, "Instances"},
    {"nvtx_startend_sum", NsysRecipeKind::kPooled, "nvtx_startend_sum", nsys_keys::range, "Instances"},
    {"nvtx_sum", NsysRecipeKind::kPooled, "nvtx_sum", nsys_keys::style, "Instances"},
    {"openacc_sum", NsysRecipeKind::kPooled, "openacc_sum", nsys_keys::name, "Count"},
    {"openmp_sum", NsysRecipeKind::kPooled, "openmp_sum", nsys_keys::name, "Count"},
    {"osrt_sum", NsysRecipeKind::kPooled, "osrt_sum", nsys_keys::name, "Num Calls"},
};

/// A recipe as requested: "cuda_gpu_kern_sum:base".
struct AskedNsysRecipe {
  std::string_view text;  ///< as asked
  const NsysRecipe* recipe = nullptr;
  AskedNsysReport report;  ///< source of its rows

  /// Columns to read for it: those of its report, and when the time of the report began.
  [[nodiscard]] std::vector<ColumnId> columns() const;
};

/// Empty if there is no recipe with that name or it does not accept the options.
std::optional<AskedNsysRecipe> find_nsys_recipe(std::string_view text);

}  // namespace assay
