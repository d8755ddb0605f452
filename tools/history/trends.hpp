// Forms series from the points of all results, and finds changes of their levels.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "history/change_points.hpp"
#include "history/remembered.hpp"
#include "result.hpp"

namespace assay {

/// One [[accepted]] of the file. Empty globs match everything.
struct AcceptedChange {
  std::string question, metric, cell;  ///< globs
  std::string at;                      ///< name of a result within the interval of the change
  std::string reason;
};

/// Error (exit 2): begins with file:line:column; an unknown key, or no `at`.
Result<std::vector<AcceptedChange>> read_accepted(const std::filesystem::path& file);

enum class Direction { kBetter, kWorse, kNeutral };

/// One change of one series. Effects are shares of the level before if all values are positive (0.1: a tenth more),
/// else in the metric's unit.
struct Change {
  std::size_t at = 0, earliest = 0,
              latest = 0;  ///< results of the history; 95 % interval; includes a gap before it
  double effect = 0, lo = 0, hi = 0;
  Direction direction = Direction::kNeutral;
  std::string accepted = {};  ///< reason, if it is accepted
  bool is_accepted = false;
  bool creeps = false;      ///< one of the two places that divide a slow creep into thirds
  bool just_found = false;  ///< the evidence barely sufficed: such effects are overestimated on average
};

struct Trend {
  SeriesId id;
  MetricWord word;
  bool relative = true;
  std::vector<std::size_t> results;  ///< results with a value
  std::vector<double> values;
  std::vector<Change> changes;
  double net = 0, net_lo = 0, net_hi = 0;  ///< last level minus the first one after the last accepted change
  double longer = 0;                       ///< ns: that, if the unit is ns; else 0
  bool regression = false;                 ///< the net change is worse, and its interval is beyond the tolerance
  bool gates = false;                      ///< --gate judges it
};

struct TrendSettings {
  double alpha = 0.05;                    ///< probability of any false alarm over all series
  double tolerance = 0;                   ///< share (or amount) by which a level may be worse
  std::vector<std::string> metrics = {};  ///< globs; empty: all
  std::string question = {};              ///< empty: all
  std::vector<AcceptedChange> accepted = {};
};

struct Trends {
  std::vector<Trend>
      changed;  ///< those that --gate judges first, then the worse ones, then those with most time lost or won
  std::size_t series = 0;        ///< series evaluated together
  std::size_t gating = 0;        ///< among them: judged by --gate
  std::size_t too_alike = 0;     ///< among them: too autocorrelated to detect a change
  std::size_t once = 0;          ///< among them: constant, then constant at another value for too few results
  std::size_t short_series = 0;  ///< with fewer than twice three results
};

/// Unless metrics are named, --gate judges the time of a step (kStepTimes) of each cell.
Trends find_trends(const std::vector<HistoryResult>& results, const TrendSettings& settings);

}  // namespace assay
