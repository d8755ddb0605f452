// Recipes: the facts that each report contributes, and the tables over all reports.
#pragma once

#include <span>
#include <string>

#include "algo/nsys/recipes.hpp"
#include "assay/study.hpp"
#include "launches.hpp"
#include "made.hpp"

namespace assay::nsys {

/// Facts that carry rows from `analyze` to `conclude`; dims: recipe, and the names of the row.
namespace rows {
inline constexpr std::string_view kTime = "nsys.time_ns", kBytes = "nsys.bytes", kCount = "nsys.count",
                                  kStart = "nsys.start_ns", kEnd = "nsys.end_ns", kBusy = "nsys.busy_ns",
                                  kPart = "nsys.part_ns", kFirst = "nsys.first_start_ns";
inline constexpr std::string_view kOrigin = "nsys.origin_ns";  ///< attribute
inline constexpr std::string_view kRecipe = "recipe";          ///< dim
}  // namespace rows

inline constexpr MetricSpec kRowMetrics[] = {
    {rows::kTime, "ns", Polarity::kNeutral,
     "Time of a group of a recipe (stats --over), summed; samples: its different durations.",
     "time of a group of a recipe", kExtensive},
    {rows::kBytes, "bytes", Polarity::kNeutral,
     "Size of a group of a recipe (stats --over), summed; samples: its different sizes.", "size of a group of a recipe",
     kExtensive},
    {rows::kCount, "1", Polarity::kNeutral,
     "Rows of a group of a recipe (stats --over); samples: how often each of its different values came.",
     "rows of a group of a recipe", kExtensive},
    {rows::kStart, "ns", Polarity::kNeutral,
     "First start of what a recipe paces (stats --over --name); samples: every start.", "starts of what is paced"},
    {rows::kEnd, "ns", Polarity::kNeutral,
     "Last end of what a recipe paces (stats --over --name); samples: every end, by start.", "ends of what is paced"},
    {rows::kBusy, "ns", Polarity::kNeutral,
     "Work of a process on a device, which adds where it ran at the same time; samples: part by part.",
     "work of a process on a device", kExtensive},
    {rows::kPart, "ns", Polarity::kNeutral,
     "Time from first work to last of a process on a device; samples: the parts that it is cut into.",
     "time in which a device was used", kExtensive},
    {rows::kFirst, "ns", Polarity::kNeutral, "Start of the first work of a process on a device.",
     "start of a device's first work"},
};
inline constexpr AttributeSpec kRowAttributes[] = {
    {rows::kOrigin, "When time 0 of the report was, ns since the epoch, by the clock of its host."}};

/// Groups with their values. `made` is the table of the recipe's report, made with Task::keeps_values.
void emit_groups(const AskedNsysRecipe& recipe, const ReportTable& made, ReportSink& sink);
/// Starts and ends of the kernels with a name (base or demangled) on all devices. Returns why there are none, if so.
std::string emit_kernel_pace(const Report& report, std::string_view name, ReportSink& sink);
/// Starts and ends of the NVTX ranges with a name, projected onto the GPU. Returns why there are none, if so.
std::string emit_range_pace(const Report& report, std::string_view name, const Launches& launches, ReportSink& sink);
/// Use of each device by part of its time. Returns why there is none if nothing ran.
std::string emit_use(const Report& report, std::int64_t parts, Mode mode, ReportSink& sink);
/// Time 0 of the report, if known.
void emit_origin(const Report& report, ReportSink& sink);

/// The tables over all reports.
void conclude_over(const Study& study, std::span<const AskedNsysRecipe> recipes, StudySink& sink);

}  // namespace assay::nsys
