// Splits the critical path of each iteration by name, exact to the ns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algo/replay/replay.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/algo/kernel_classes.hpp"

namespace assay::replay {

/// How to split a path.
enum class PathGrouping : std::uint8_t {
  kPart,      ///< kernels, launch latency, host code, copies, communication
  kKernel,    ///< kernels by name; the rest by part
  kClass,     ///< kernels by class; the rest by part
  kOperator,  ///< the innermost framework operator in which a call was made, or that launched the work
  kRange      ///< likewise, the innermost NVTX range
};
inline constexpr std::string_view kByNames[] = {"part", "kernel", "class", "operator", "range"};
inline constexpr PathGrouping kGroupings[] = {PathGrouping::kPart, PathGrouping::kKernel, PathGrouping::kClass,
                                              PathGrouping::kOperator, PathGrouping::kRange};

struct PathEntry {
  std::string name;                ///< "(host code)", "(none)": without a name of that kind
  std::vector<std::int64_t> time;  ///< ns per iteration on its path; over all names they add up to its length
  std::int64_t total = 0;          ///< of all iterations
  /// Among calls and work of that name, the min distance from the path in any iteration, in ns: 0 if one is on it.
  /// kNoSlack: nothing depends on any of them.
  std::int64_t slack = kNoSlack;
};

/// Largest first; names of which there is work or a call and that are never on the path stand last, with their slack.
std::vector<PathEntry> split_path(const Report& report, const Graph& graph, const ReplayTimes& replayed,
                                  PathGrouping by, const NameRules& classes);

/// The same by several groupings, in the time of about one.
std::vector<std::vector<PathEntry>> split_paths(const Report& report, const Graph& graph, const ReplayTimes& replayed,
                                                std::span<const PathGrouping> by, const NameRules& classes);

/// What of a part of the path is of one name.
struct PathPartEntry {
  Part part = Part::kHost;
  std::string name;                ///< "(none)": it has none
  std::vector<std::int64_t> time;  ///< ns of each iteration; over all of them they sum to its length
  std::int64_t total = 0;          ///< of all iterations
};

/// Parts of the path by operator of the framework; in reports without operators kernels by name, and the rest by
/// innermost NVTX range. Largest first.
std::vector<PathPartEntry> split_parts(const Report& report, const Graph& graph, const ReplayTimes& replayed);

/// The steps of a report that are examples of all (step::steps_of) as iterations, each from its start to its own end.
class StepIterations {
 public:
  /// Number of a row that only ends the step before it: the next one is left out, or follows later.
  static constexpr std::int64_t kEndOfStep = -1;
  explicit StepIterations(const Report& report);
  StepIterations(const StepIterations&) = delete;
  StepIterations& operator=(const StepIterations&) = delete;
  [[nodiscard]] bool empty() const { return start_.empty(); }
  /// The report with these as its iterations, or its own without any; borrows both.
  [[nodiscard]] Report in(const Report& report) const;

 private:
  void add(std::int64_t number, Interval time, std::uint32_t thread);

  std::vector<std::int64_t> number_, start_, end_;
  std::vector<std::uint32_t> thread_;
  std::vector<std::uint8_t> overlapping_;
  IterationTable table_;
};

}  // namespace assay::replay
