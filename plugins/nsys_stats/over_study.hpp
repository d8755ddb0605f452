// Shared by recipes over all reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "over.hpp"

namespace assay::nsys {

/// The reports sorted by rank.
struct Ranks {
  struct One {
    std::size_t report = 0;  ///< row of Study::reports
    std::int64_t rank = 0;
    std::optional<std::int64_t> origin;  ///< time 0 in ns since the epoch
  };
  /// Uses the ranks in the reports or their names if all have distinct ones, otherwise numbers in the order of the
  /// names, as in nsys.
  explicit Ranks(const StudyView& study);

  std::vector<One> all;
  bool told = false;  ///< from the reports or their names
};

/// Adds the columns Rank and Report: `report_of(row)` is an index into Ranks::all.
template <class Rows, class ReportOf>
void add_reports(Table& table, const StudyView& study, const Ranks& ranks, const Rows& rows, ReportOf report_of) {
  table.column("Rank", "", rows, [&](const auto& row) { return ranks.all[report_of(row)].rank; });
  table.column("Report", "", rows,
               [&](const auto& row) { return std::string(study.path(ranks.all[report_of(row)].report)); });
}

/// A cell in tenths of ns.
inline double tenths_of(const std::optional<double>& value) {
  return value ? tenths(*value) : std::numeric_limits<double>::quiet_NaN();
}

/// Time range of a report on its own clock.
struct Extent {
  std::size_t report = 0;  ///< place in Ranks::all
  std::int64_t start = 0, end = 0;
};

/// Offsets in ns that align the times of all reports to the earliest time 0. Empty if a report of `extents` has no
/// known time 0, or if no moment is common to all: then they were recorded one after the other, and time differences
/// between them are meaningless. The remark for this case ends with `else_from`.
std::optional<std::vector<std::int64_t>> shifts(const Ranks& ranks, std::span<const Extent> extents,
                                                std::string_view recipe, std::string_view else_from, StudySink& sink);

void conclude_groups(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink);
void conclude_pace(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink);
void conclude_use(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink);

}  // namespace assay::nsys
