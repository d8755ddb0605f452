// Times of one pass as the device, the host and the program itself saw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "assay/study.hpp"
#include "estimate.hpp"

namespace assay::timing {

/// Columns of the sheet in which a program wrote what it measured.
struct Columns {
  std::string sheet, name;         ///< `name` holds the report's file name without extension
  std::string steps_ms;            ///< list of the times of single passes, in ms
  std::string elapsed_s, batches;  ///< seconds of all passes, and their number
};

/// The time of a pass by one row of a sheet.
struct ProgramTime {
  Estimate time;
  bool by_step = false;  ///< median of passes timed one by one; else the mean of passes timed together
  std::string source;    ///< path of the sheet
};

/// What the sheets say of one report.
struct ProgramTimes {
  std::optional<ProgramTime> time;  ///< of the nearest sheet
  std::vector<ProgramTime> others;  ///< of other rows for the same run that say another time
  std::string why_not;              ///< a clause; empty when there is a time
};

/// Rows for every report of `reports` (rows of Study::reports), in their order. A sheet speaks for the reports in its
/// own folder and below, as the files of runners do; of several the one in the nearest folder counts. A row whose name
/// fits several of these reports, none of which has a nearer one, says nothing of any.
std::vector<ProgramTimes> program_times(const StudyView& view, const std::vector<std::size_t>& reports,
                                        const Columns& columns);

struct ReportTimes {
  std::size_t report = 0;
  /// By metric of the design: the mean of the passes where the program timed them together, else their median. A fact
  /// without samples has its value, whichever it is.
  std::vector<std::optional<Estimate>> traced;
  ProgramTimes program;
};

/// Times of every report of the question that has one of the metrics, by report.
std::vector<ReportTimes> times_of(const StudyView& view, const std::vector<std::string>& metrics,
                                  const Columns& columns);

}  // namespace assay::timing
