// What the recipes share when they look at all reports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "over.hpp"

namespace assay::nsys {

/// The reports, in the order of their ranks.
struct Ranks {
  struct One {
    std::size_t report = 0;  ///< row of Study::reports
    std::int64_t rank = 0;
    std::optional<std::int64_t> origin;  ///< when time 0 was, ns since the epoch
  };
  /// Ranks are those that the reports or their names say, where all do and differ, else numbers in the order of the
  /// names, as nsys gives them.
  explicit Ranks(const StudyView& study);

  std::vector<One> all;
  bool told = false;  ///< by the reports or their names
};

/// Adds the columns Rank and Report: `report_of(row)` is a place in Ranks::all.
template <class Rows, class ReportOf>
void add_reports(Table& table, const StudyView& study, const Ranks& ranks, const Rows& rows, ReportOf report_of) {
  table.column("Rank", "", rows, [&](const auto& row) { return ranks.all[report_of(row)].rank; });
  table.column("Report", "", rows,
               [&](const auto& row) { return std::string(study.path(ranks.all[report_of(row)].report)); });
}

/// A cell of tenths of ns.
inline double tenths_of(const std::optional<double>& value) {
  return value ? tenths(*value) : std::numeric_limits<double>::quiet_NaN();
}

/// When something of a report was, by its own clock.
struct Extent {
  std::size_t report = 0;  ///< place in Ranks::all
  std::int64_t start = 0, end = 0;
};

/// Nanoseconds to add to the times of each report so that all count from the first time 0 of any. None where a report
/// of `extents` does not say when its time 0 was, or where there is no moment that all of them hold: such reports were
/// recorded one after the other, and times between them mean nothing. What is said then ends with `else_from`.
std::optional<std::vector<std::int64_t>> shifts(const Ranks& ranks, std::span<const Extent> extents,
                                                std::string_view recipe, std::string_view else_from, StudySink& sink);

void conclude_groups(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink);
void conclude_pace(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink);
void conclude_use(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink);

}  // namespace assay::nsys
