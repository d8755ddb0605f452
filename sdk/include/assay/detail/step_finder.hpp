// Finds the steps of a run, once: when its report is finished. Analyzers read Report::steps (assay/algo/steps.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// The cells of Report::steps.
struct StepRows {
  std::vector<std::int64_t> start, end;
  std::vector<std::uint32_t> process;
  std::vector<std::int32_t> number;
  std::vector<StringId> name;
  std::vector<std::uint32_t> thread;
  std::vector<Row> range;
  std::vector<std::int64_t> host_start, host_end, until, device_start, device_end, launched;
  std::vector<std::uint8_t> whole;
  std::vector<Disturbance> disturbed;
  std::vector<StepSource> source;

  /// Borrows the cells.
  [[nodiscard]] StepTable table() const;
};

/// What is known besides the report.
struct StepSearch {
  std::span<const std::string> named = {};  ///< ranges that are steps (range_name_matches): of the first that has any
  std::span<const Row> lost_launches = {};  ///< rows of calls whose kernels were lost
  bool rank_of_several = false;             ///< the profile is of one rank of a job of several
};

/// Steps of each process: the named ranges, if any are named; else the profiler's marks; else the outermost ranges that
/// repeat (repeated_ranges). Needs col::ranges and col::spans to find any, and calls with kernels, graphs, copies and
/// sets for the work launched in them; col::overheads, to find those that the profiler disturbed.
StepRows find_step_rows(const Report& report, const StepSearch& search);

/// Steps at given places, as [iterations] of a test has them.
struct StepPlace {
  std::int64_t start = 0, end = 0;  ///< ns, on the host
  StringId name = 0;
  std::uint32_t thread = 0;
  Row range = kNone;
  bool open = false;  ///< the range never ended
};
StepRows step_rows_at(const Report& report, std::vector<StepPlace> places, const StepSearch& search);

}  // namespace assay::step
