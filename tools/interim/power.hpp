// `assay plan --power`: the evidence for open claims of a finished result, and how many runs would decide them.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "algo/noise/sequence.hpp"
#include "config/question.hpp"
#include "render/rows.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// A stratum of an inconclusive claim, with the need that claim_verdicts computed.
struct OpenStratum {
  std::string claim, labels;
  std::string in_vain;    ///< why no number of runs decides it, or why that is unknown; the other members are unset
                          ///< then
  bool recorded = false;  ///< judged by blocks of a recording; else by runs
  NeedScale scale = NeedScale::kLogs;
  std::size_t blocks = 0;      ///< that count; or runs of the smaller side
  double effect = 0;           ///< observed: a ratio, a level or a difference
  double sd = 0, most_sd = 0;  ///< between the differences of blocks, or between runs, on `scale`; upper 80 % limit
  SequenceSeen seen;           ///< effect and spread on that scale
  SequenceClaim asked;         ///< the claim on that scale
  std::size_t as_seen = 0;     ///< blocks, or runs per side, in total until a decision if effect and spread stay as
                               ///< observed
  std::optional<std::size_t>
      planned;                       ///< the same with 90 % power for the planned effect and `most_sd`, if there is one
  std::optional<double> seconds;     ///< duration of the runs of one block, or of one run per side
  std::vector<std::string> reports;  ///< it rests on
};

/// Called with the number of planned strata and of all, from any thread; null: not called.
using PlanProgress = std::function<void(std::size_t done, std::size_t all)>;

/// For one question, in claim order. `effect` (a ratio, level or difference): effect to plan for; without it the centre
/// of the claimed range, if there is one; never the observed effect.
std::vector<OpenStratum> open_strata(const Question& question, const StoredQuestion& result,
                                     std::optional<double> effect, const PlanProgress& progress = {});

/// Whether the effect of a stratum changed during recording (according to claim_verdicts), so that no further block
/// decides it.
bool effect_changed(const OwnedStratum& stratum);

/// Prints them for all questions that both have; as CSV or JSON one row each with exact numbers. Error (exit 2): no
/// result, or it answers none of the questions.
Status print_power(const std::vector<Question>& questions, const std::filesystem::path& result,
                   std::optional<double> effect, RowFormat format, std::ostream& out,
                   const PlanProgress& progress = {});

}  // namespace assay
