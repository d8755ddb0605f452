// The rows that one rank contributes: its steps, the communication kernels in them with their messages, and the compute
// in between.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "assay/algo/stages.hpp"
#include "assay/algo/step_parts.hpp"
#include "assay/job.hpp"
#include "assay/output.hpp"

namespace assay::pipeline {

/// Table of a format with one row per send or receive (describe torch).
inline constexpr std::string_view kMessages = "messages";

/// Whether the profile lists messages, or has kernels that send or receive.
bool has_messages(const Report& report);

/// Compute between two events, with a direction if names of ranges or operators indicate it.
struct Piece {
  std::int64_t event = 0;  ///< of the step, the event that follows; the number of events: the last piece
  Interval time;           ///< first start to last end
  std::int64_t pass = 0;   ///< stages::Pass
};

/// Emits the rows of one report. `steps` are those with work.
void emit_rank(const Report& report, const DeviceWork& work, const std::vector<DeviceStep>& steps, ReportSink& sink);

/// Data of a job by common step; ranks in the order of `ranks`.
struct JobRows {
  std::vector<Row> rows;                                ///< of Job::ranks
  std::vector<std::int64_t> ranks;                      ///< numbers
  std::vector<stages::JobStep> steps;                   ///< those that all ranks have, by number; messages matched
  std::vector<std::vector<std::vector<Piece>>> pieces;  ///< [step][rank]
  std::vector<std::vector<std::int64_t>> host_starts;   ///< [step][rank]
  std::vector<std::string> paths;                       ///< of the reports, as in facts.csv
  std::vector<std::int64_t> bases;                      ///< added to times because of the origins of the files; ns
  std::vector<std::vector<std::vector<std::uint32_t>>> unnamed;  ///< [step][rank]: events that are messages to or from
                                                                 ///< a rank that the profile does not name
  bool named = true;                                             ///< there is none of those
  std::set<std::int64_t> missing;  ///< ranks without a profile that the others send to or get from
  bool clocks_known = false;       ///< every file states the origin of its times
};
JobRows read_job(const Job& job);

}  // namespace assay::pipeline
