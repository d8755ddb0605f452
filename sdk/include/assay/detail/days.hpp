// How far two sides may differ because they were measured on different days.
//
// A machine has days: temperature, clocks, driver, neighbours. Repeat runs of one measurement share its day, so that
// however many of them there are, their spread does not hold how far days differ. Where sides were measured apart, the
// unit is therefore the measurement: the mean of the logs (of shares: logits) of its runs of one cell.
//   known    at least two measurements of one program, of a side or given to tell how days differ: Student's interval
//            of the difference of the sides' means, on the variance between measurements pooled over base, treated and
//            those others. Its degrees of freedom are those of this cell alone: a day moves all cells together, so that
//            other cells tell no more. A measurement of fewer runs than the usual one counts as noisier in proportion.
//            With two or three measurements such intervals are wider than what days ever differ by. So the interval
//            reaches no further than the unknown one, or than that of one comparison at 95 %, the wider of both: false
//            differences of one day come together.
//   unknown  one measurement a side and no others: nothing tells the program from the day. The interval of the runs
//            reaches kUnseenDays further to either side, so that only an effect beyond what days usually differ by is
//            told; not where equal runs never differ at all (counts), nor where base and treated runs alternate.
// Simulated in tests/simulate: results of equal programs whose days differ.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/pairs.hpp"

namespace assay {

/// By so much, in logs, two days of one machine are allowed to differ while nothing tells how much they do: A/A
/// comparisons err in at most 5 % where the standard deviation of a day is at most 2.8 %.
inline constexpr double kUnseenDays = 0.08;

/// One measurement of a cell.
struct DayMean {
  double mean = 0;  ///< of its runs, on the scale of the comparison
  std::size_t runs = 1;
};

/// Measurements of one cell: of both sides, and of one program that is neither.
struct CellDays {
  std::vector<DayMean> base, treated, others;
};

/// How far the difference of both sides may be off.
struct DayError {
  double half = 0, alone = 0;  ///< half-width of the interval, at the shared level and of one comparison at 95 %
  double sd = 0, degrees = 0;  ///< between measurements
};

/// Nothing where no two measurements of one program tell how much days differ.
std::optional<DayError> day_error(const CellDays& days, double level);

/// Puts the days of measuring into every interval of `study` and judges anew. The values of the label `measurement` say
/// which runs were measured together; reports of the [noise] with the labels of a cell are its others.
void widen_by_days(const StudyView& view, PairStudy& study, std::string_view measurement);

}  // namespace assay
