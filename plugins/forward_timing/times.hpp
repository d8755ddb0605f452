// Times of one pass as the device, the host and the program itself saw it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "assay/study.hpp"

namespace assay::timing {

/// A time with the interval of itself, not of the single passes. Of one pass, or of passes timed together, nothing
/// tells how far it may be off: `low` and `high` are `ns` then.
struct Estimate {
  double ns = 0;
  double low = 0, high = 0;
  std::size_t samples = 1;
};

Estimate single_value(double ns);

/// Median and mean of passes in the order in which they ran. From 20 passes on the interval is a block bootstrap, which
/// passes that depend on their neighbours widen; of fewer it is that of Student on their spread.
Estimate median_of(std::span<const double> passes, double level);
Estimate mean_of(std::span<const double> passes, double level);

/// How one time stands to another.
enum class Agreement { kAgrees, kLonger, kShorter, kOpen };

/// The difference agrees with none when it is less than `within` of `traced`, or when it is no more than both
/// uncertainties together and these are less than `open_above` of `traced`; larger ones leave it open.
Agreement agreement(const Estimate& program, const Estimate& traced, double within, double open_above);

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
