// Predictions as they are printed.
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <span>

#include "assay/detail/replay_path.hpp"
#include "render/text_table.hpp"
#include "whatif/predict.hpp"

namespace assay::whatif {

/// How well the runs are reproduced, where their time goes, and what the replay does not know of them.
void print_runs(std::span<const RunSummary> runs, std::ostream& to, std::size_t width);

/// A step as it is in the profile, and as the program timed it itself without a profiler; ns.
struct PlainStep {
  std::string range;
  double traced = 0, plain = 0;
  std::string source;  ///< the file that says so
};

/// Predictions, each with its gain and what limits next. With a plain step, what a gain of launches is without a
/// profiler.
void print_gains(std::span<const Prediction> gains, const std::optional<PlainStep>& plain, std::ostream& to,
                 std::size_t width);

/// One prediction with where the time goes before and after.
void print_prediction(const Prediction& prediction, const std::optional<PlainStep>& plain, std::ostream& to,
                      std::size_t width);

/// How much of the predicted iteration is the host's between two of them, as a profiler lengthens it, and the rest.
void print_between(std::span<const RunSummary> runs, const Prediction& prediction, std::ostream& to, std::size_t width);

/// What the critical paths of runs go through, by name: median and quartiles over iterations, share, slack. A run may
/// be closed once it was added.
class PathTable {
 public:
  PathTable(replay::PathGrouping by, NameRules classes) : by_(by), classes_(std::move(classes)) {}
  void add(const Run& run);
  void print(RowFormat format, std::ostream& to, std::size_t width) const;

 private:
  struct Entry {
    std::vector<double> times;  ///< of each iteration so far; of the last ones only where the path went through it
    double total = 0;
    std::int64_t slack = replay::kNoSlack;
  };
  replay::PathGrouping by_;
  NameRules classes_;
  std::map<std::string, Entry> entries_;
  double all_ = 0;
  std::size_t iterations_ = 0;
};

/// The same for programs: a row per prediction, times in ns.
void write_rows(std::span<const Prediction> predictions, RowFormat format, std::ostream& to);

}  // namespace assay::whatif
