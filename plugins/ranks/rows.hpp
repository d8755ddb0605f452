// The rows that one rank contributes: its steps, its collectives, and the parts of those not covered by compute.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/step_parts.hpp"
#include "assay/job.hpp"
#include "assay/output.hpp"

namespace assay::ranks {

/// Origin of the file's times: ns since 1970, which exceed the integers that a fact holds exactly.
inline constexpr std::string_view kBaseAttribute = "clock.base_ns";

/// Share of device time in graphs traced as a whole, whose kernels are hidden.
double opaque_share(const Report& report);

/// Emits the rows of one report. `steps` are those with work.
void emit_rank(const Report& report, const DeviceWork& work, const std::vector<DeviceStep>& steps, ReportSink& sink);

/// The rows emitted by a rank, as stored in the job. Times are ns of the rank's own file.
struct RankRows {
  std::int64_t number = 0;           ///< the rank; its index in the job if unknown
  std::int64_t origin = kNoInteger;  ///< of the file's clock; kNoInteger: unknown
  std::int64_t base = kNoInteger;    ///< origin of the file's times, as stated; kNoInteger: unknown
  std::string host, master;          ///< empty: not known
  std::string path;                  ///< of its report, as in facts.csv
  std::span<const Str> groups;       ///< names of its groups, equal on all ranks; empty: unknown
  std::span<const std::int64_t> group_sizes;
  // steps
  std::span<const std::int64_t> step, host_start, start, end, compute, copy, idle;
  // collectives, by (step, start)
  std::span<const std::int64_t> of_step, group, kind, sequence, sent, received, begin, finish;
  std::span<const std::int64_t> before;           ///< compute since the previous collective, or since the begin of the
                                                  ///< step; ns
  std::span<const std::int64_t> uncovered_begin;  ///< for each collective: its first row of uncovered_*
  std::span<const std::int64_t> uncovered_start, uncovered_end;

  [[nodiscard]] std::size_t collectives() const { return begin.size(); }
  [[nodiscard]] std::int64_t duration(std::size_t c) const { return finish[c] - begin[c]; }
  /// Appends the parts of [begin, begin + length) of a collective without overlapping compute.
  void add_uncovered(std::size_t c, std::int64_t length, Intervals& to) const;
};

/// Ranks that emitted rows, by rank.
struct JobRows {
  std::vector<RankRows> ranks;
  std::vector<Row> rows;   ///< of Job::ranks
  std::int64_t world = 0;  ///< 0: not known

  /// Numbers of the ranks.
  [[nodiscard]] std::set<std::size_t> numbers() const {
    std::set<std::size_t> out;
    for (const RankRows& rank : ranks) out.insert(static_cast<std::size_t>(rank.number));
    return out;
  }
};
JobRows read_job(const Job& job);

}  // namespace assay::ranks
