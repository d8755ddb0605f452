// Durations of a pass as measured by the device, the host and the program itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "assay/study.hpp"

namespace assay::timing {

/// A time with its confidence interval, which is not the range of single passes. For a single pass, or passes timed
/// together, the error is unknown: then `low` and `high` equal `ns`.
struct Estimate {
  double ns = 0;
  double low = 0, high = 0;
  std::size_t samples = 1;
};

Estimate single_value(double ns);

/// Median and mean of passes in execution order. From 20 passes on, the interval is a block bootstrap, which accounts
/// for dependence between neighbours; with fewer it is Student's interval.
Estimate median_of(std::span<const double> passes, double level);
Estimate mean_of(std::span<const double> passes, double level);

/// Relation between two times.
enum class Agreement { kAgrees, kLonger, kShorter, kOpen };

/// The times agree if they differ by less than `within` of `traced`, or by no more than both uncertainties together,
/// provided those are at most kMaxUncertainty of `traced`; larger uncertainties leave it open.
Agreement agreement(const Estimate& program, const Estimate& traced, double within);
inline constexpr double kMaxUncertainty = 0.05;

/// Columns of the sheet in which a program wrote its own measurements.
struct Columns {
  std::string sheet, name;         ///< `name` contains the report's file name without extension
  std::string elapsed_s, batches;  ///< total seconds of all passes, and their number
};

/// The duration of a pass from one row of a sheet.
struct ProgramTime {
  Estimate time;
  bool by_step = false;  ///< median of passes timed individually; false: mean of passes timed together
  std::string source;    ///< path of the sheet
};

/// The program's own times for one report.
struct ProgramTimes {
  std::optional<ProgramTime> time;  ///< from the nearest sheet
  std::vector<ProgramTime> others;  ///< from other rows for the same run that differ
  std::string why_not;              ///< a clause; empty if there is a time
};

/// One entry for every report of `reports` (rows of Study::reports), in order. A sheet applies to reports in its own
/// folder and below, as the files of runners do; of several sheets the nearest counts. A row whose name matches several
/// reports without a nearer one is ambiguous and ignored.
std::vector<ProgramTimes> program_times(const StudyView& view, const std::vector<std::size_t>& reports,
                                        const Columns& columns);

struct ReportTimes {
  std::size_t report = 0;
  /// By metric of the design: the mean of the passes if the program timed them together, otherwise their median. A fact
  /// without samples provides its value in both cases.
  std::vector<std::optional<Estimate>> traced;
  ProgramTimes program;
};

/// Times of every report of the question with one of the metrics, by report.
std::vector<ReportTimes> times_of(const StudyView& view, const std::vector<std::string>& metrics,
                                  const Columns& columns);

}  // namespace assay::timing
