// The rows that one rank hands to the others: its steps and collectives, and where compute leaves those uncovered.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/step_parts.hpp"
#include "assay/job.hpp"
#include "assay/output.hpp"

namespace assay::ranks {

/// What the file's times count from: ns since 1970, which are more than the number of a fact holds exactly.
inline constexpr std::string_view kBaseAttribute = "clock.base_ns";

/// Share of device time in graphs that were traced as a whole, whose kernels nobody sees.
double opaque_share(const Report& report);

/// Emits the rows of one report. `steps` are those that worked.
void emit_rank(const Report& report, const DeviceWork& work, const std::vector<DeviceStep>& steps, ReportSink& sink);

/// What a rank emitted, as it lies in the job. Times are ns of the rank's own file.
struct RankRows {
  std::int64_t number = 0;           ///< the rank; its place in the job where that is not known
  std::int64_t origin = kNoInteger;  ///< of the file's clock; kNoInteger: not known
  std::int64_t base = kNoInteger;    ///< that the file's times count from, as it says; kNoInteger: not known
  std::string host, master;          ///< empty: not known
  std::string path;                  ///< of its report, as in facts.csv
  std::span<const Str> groups;       ///< names of its groups, equal on all ranks; empty: not known
  std::span<const std::int64_t> group_sizes;
  // steps
  std::span<const std::int64_t> step, host_start, start, end, compute, copy, idle;
  // collectives, by (step, start)
  std::span<const std::int64_t> of_step, group, kind, sequence, sent, received, begin, finish;
  std::span<const std::int64_t> before;           ///< compute since the collective before, or the begin of the step; ns
  std::span<const std::int64_t> uncovered_begin;  ///< of each collective: its first row of uncovered_*
  std::span<const std::int64_t> uncovered_start, uncovered_end;

  [[nodiscard]] std::size_t collectives() const { return begin.size(); }
  [[nodiscard]] std::int64_t duration(std::size_t c) const { return finish[c] - begin[c]; }
  /// Appends what of [begin, begin + length) of a collective has no compute beside it.
  void add_uncovered(std::size_t c, std::int64_t length, Intervals& to) const;
};

/// Ranks that emitted rows, by rank.
struct JobRows {
  std::vector<RankRows> ranks;
  std::vector<Row> rows;   ///< of Job::ranks
  std::int64_t world = 0;  ///< 0: not known
};
JobRows read_job(const Job& job);

}  // namespace assay::ranks
