// The recipes of nsys that assay answers: what `assay stats --over` makes of all exports of a folder together. Shared
// by the analyzer that makes the tables and by the command that reads no more of the files than the asked ones need.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "algo/nsys/reports.hpp"

namespace assay {

/// What becomes of the rows of several reports.
enum class NsysRecipeKind : std::uint8_t {
  kPooled,  ///< groups by name, of all reports together and of each
  kPace,    ///< the k-th time that a kernel or range came, side by side over the reports
  kUse,     ///< how much of each stretch of time each device was in use
};

/// One recipe. `report` is the report of nsys stats that it takes its rows from, `keys` its columns of names.
struct NsysRecipe {
  std::string_view name;
  NsysRecipeKind kind = NsysRecipeKind::kPooled;
  std::string_view report;
  Span<std::string_view> keys = {};
  std::string_view count = {};  ///< column of how many
  bool bytes = false;           ///< values are sizes, not times
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

/// A recipe as it was asked for: "cuda_gpu_kern_sum:base".
struct AskedNsysRecipe {
  std::string_view text;  ///< as asked
  const NsysRecipe* recipe = nullptr;
  AskedNsysReport report;  ///< where its rows come from

  /// What is to be read for it: beside what its report needs, when the time of the report began.
  [[nodiscard]] std::vector<ColumnId> columns() const;
};

/// Nothing when there is no recipe of that name or it does not take the options behind it.
std::optional<AskedNsysRecipe> find_nsys_recipe(std::string_view text);

}  // namespace assay
