// From the points of all results to series, and from series to changes of their level.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "history/change_points.hpp"
#include "history/remembered.hpp"
#include "result.hpp"

namespace assay {

/// One [[accepted]] of the file. Empty globs fit everything.
struct AcceptedChange {
  std::string question, metric, cell;  ///< globs
  std::string at;                      ///< name of a result within the interval of the change
  std::string reason;
};

/// Error (exit 2): begins with file:line:column; a key that is not known, or no `at`.
Result<std::vector<AcceptedChange>> read_accepted(const std::filesystem::path& file);

enum class Direction { kBetter, kWorse, kNeutral };

/// One change of one series. Effects are shares of the level before where all values are positive (0.1: a tenth more),
/// else in the metric's unit.
struct Change {
  std::size_t at = 0, earliest = 0,
              latest = 0;  ///< results of the history; the interval of 95 %; a gap before it belongs to it
  double effect = 0, lo = 0, hi = 0;
  Direction direction = Direction::kNeutral;
  std::string accepted = {};  ///< why, where it is accepted
  bool is_accepted = false;
  bool creeps = false;      ///< one of the two places that cut a slow creep into thirds
  bool just_found = false;  ///< the evidence barely sufficed: of many such the effect is overestimated on average
};

struct Trend {
  SeriesId id;
  MetricWord word;
  bool relative = true;
  std::vector<std::size_t> results;  ///< which have a value
  std::vector<double> values;
  std::vector<Change> changes;
  double net = 0, net_lo = 0, net_hi = 0;  ///< the last level against the first one after the last accepted change
  bool regression = false;                 ///< the net is worse, and the interval lies beyond the tolerance
};

struct TrendSettings {
  double alpha = 0.05;                    ///< chance of any false alarm over all series
  double tolerance = 0;                   ///< share (or amount) by which a level may be worse
  std::vector<std::string> metrics = {};  ///< globs; none: all
  std::string question = {};              ///< empty: all
  std::vector<AcceptedChange> accepted = {};
};

struct Trends {
  std::vector<Trend> changed;  ///< the largest net change first
  std::size_t series = 0;      ///< that were looked at together
  std::size_t too_alike = 0;   ///< of these: neighbouring results so alike that no change of level can be told
  std::size_t once = 0;        ///< of these: constant, then constant at another value, and too short to call it a level
  std::size_t short_series = 0;  ///< of fewer than twice three results
};

Trends find_trends(const std::vector<HistoryResult>& results, const TrendSettings& settings);

}  // namespace assay
