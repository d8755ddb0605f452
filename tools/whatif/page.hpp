// Prints predictions.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <span>

#include "algo/replay/path.hpp"
#include "render/text_table.hpp"
#include "whatif/predict.hpp"

namespace assay::whatif {

/// Prints how well the runs are reproduced, where their time is spent, and what the replay cannot know.
void print_runs(std::span<const RunSummary> runs, std::ostream& to, std::size_t width);

/// Step time in the profile, and as measured by the program without a profiler; ns.
struct PlainStep {
  std::string range;
  double traced = 0, plain = 0;
  std::string source;  ///< file with the program's measurement
};

/// Levers, and bounds of kernels and operators, with their gain and the next limit. With a plain step, also the gain of
/// saved launches without a profiler.
void print_gains(std::span<const Prediction> levers, std::span<const Prediction> bounds,
                 const std::optional<PlainStep>& plain, std::ostream& to, std::size_t width);

/// One prediction with the composition of time before and after.
void print_prediction(const Prediction& prediction, const std::optional<PlainStep>& plain, std::ostream& to,
                      std::size_t width);

/// Share of the host between two iterations, which a profiler lengthens, and the rest.
void print_between(std::span<const RunSummary> runs, const Prediction& prediction, std::ostream& to, std::size_t width);

/// Names on the critical paths of runs: median and quartiles over iterations, share, slack. A run may be closed after
/// it was added.
class PathTable {
 public:
  PathTable(replay::PathGrouping by, NameRules classes) : by_(by), classes_(std::move(classes)) {}
  void add(const Run& run);
  void print(RowFormat format, std::ostream& to, std::size_t width) const;

 private:
  struct Entry {
    std::vector<double> times;  ///< per iteration so far; missing for trailing iterations whose path avoids it
    double total = 0;
    std::int64_t slack = replay::kNoSlack;
  };
  replay::PathGrouping by_;
  NameRules classes_;
  std::map<std::string, Entry> entries_;
  double all_ = 0;
  std::size_t iterations_ = 0;
};

/// For programs: one row per prediction, times in ns.
void write_rows(std::span<const Prediction> predictions, RowFormat format, std::ostream& to);

}  // namespace assay::whatif
