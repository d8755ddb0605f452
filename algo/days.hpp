// How far two sides may differ because they were measured on different days.
//
// Temperature, clocks, driver and neighbours of a machine vary between days. Repeat runs of one measurement share its
// day, so that their spread, however many they are, does not include the variation between days. If sides were measured
// separately, the unit is therefore the measurement: the mean of the logs (for shares: logits) of its runs of one cell.
// known    at least two measurements of one program, on a side or provided for this purpose: Student's interval of the
//          difference of the sides' means, with the variance between measurements pooled over base, treated and those
//          others. Its degrees of freedom are those of this cell only: a day moves all cells together, so other cells
//          add no information. A measurement of fewer runs than usual counts as proportionally noisier. With two or
//          three measurements such intervals are wider than any variation between days. So the interval extends no
//          further than the unknown one, or than that of one comparison at 95 %, whichever is wider: false differences
//          of one day come together.
// unknown  one measurement per side and no others: the day cannot be distinguished from the program. The interval of
//          the runs is extended by kUnseenDays on both sides, so that only an effect beyond the usual variation between
//          days counts; not if equal runs never differ (counts), nor if base and treated runs alternate.
// Simulated in tests/simulate: results of equal programs whose days differ.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/pairs.hpp"

namespace assay {

/// Permitted difference, in logs, of two days of one machine while it cannot be estimated: A/A comparisons err in at
/// most 5 % if the standard deviation between days is at most 2.8 %.
inline constexpr double kUnseenDays = 0.08;

/// One measurement of a cell.
struct DayMean {
  double mean = 0;  ///< of its runs, on the scale of the comparison
  std::size_t runs = 1;
};

/// Measurements of one cell: of both sides, and of one program that is on neither.
struct CellDays {
  std::vector<DayMean> base, treated, others;
};

/// Error of the difference of both sides.
struct DayError {
  double half = 0, alone = 0;  ///< half-width of the interval, at the shared level and for one comparison at 95 %
  double sd = 0, degrees = 0;  ///< between measurements
};

/// Empty if no program was measured twice, so that the variation between days is unknown.
std::optional<DayError> day_error(const CellDays& days, double level);

/// Adds the variation between days to every interval of `study` and judges again. Values of the label `measurement`
/// identify runs that were measured together; reports of [noise] with the labels of a cell are its other measurements.
void widen_by_days(const StudyView& view, PairStudy& study, std::string_view measurement);

}  // namespace assay
