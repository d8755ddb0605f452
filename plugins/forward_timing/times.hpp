// Times of one pass as the device, the host and the program itself saw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "assay/study.hpp"

namespace assay::timing {

/// A time with the samples it was measured by; one sample, or none, says nothing of its spread.
struct Time {
  double ns = 0;   ///< median
  double low = 0;  ///< 2.5 % and 97.5 % quantiles of the samples; `ns` where there are fewer than two
  double high = 0;
  std::size_t samples = 1;
};

/// Columns of the sheet in which a program wrote what it measured.
struct Columns {
  std::string sheet, name;         ///< `name` holds the report's file name without extension
  std::string steps_ms;            ///< list of the times of single passes, in ms
  std::string elapsed_s, batches;  ///< seconds of all passes, and their number
};

struct ReportTimes {
  std::size_t report = 0;
  std::vector<std::optional<Time>> traced;  ///< by metric of the design
  std::optional<Time> program;
  bool by_step = false;        ///< single passes were timed; else all of them together
  std::string why_no_program;  ///< a clause; empty when there is one
};

/// How the program's time stands to a traced one.
enum class Agreement { kAgrees, kLonger, kShorter };

/// They agree when their medians differ by no more than their spreads together, or by less than `within` of the traced
/// time.
Agreement agreement(const Time& program, const Time& traced, double within);

/// Times of every report of the question that has one of the metrics, by report.
std::vector<ReportTimes> times_of(const StudyView& view, const std::vector<std::string>& metrics,
                                  const Columns& columns);

}  // namespace assay::timing
