// `assay plan --power`: what the open claims of a finished result rest on, and what it takes to decide them.
#pragma once

#include <iosfwd>
#include <optional>

#include "algo/noise/sequence.hpp"
#include "config/question.hpp"
#include "render/rows.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// A stratum of a claim that is inconclusive, with what claim_verdicts says that it needs.
struct OpenStratum {
  std::string claim, labels;
  std::string in_vain;    ///< why no number of runs decides it, or why that is not known; then the rest is not there
  bool recorded = false;  ///< judged by blocks of a recording; else by runs
  NeedScale scale = NeedScale::kLogs;
  std::size_t blocks = 0;      ///< that count, or runs of the smaller side
  double effect = 0;           ///< as it was seen: a ratio, a level or a difference
  double sd = 0, most_sd = 0;  ///< between the differences of blocks, or between runs, on `scale`; upper 80 % limit
  SequenceSeen seen;           ///< effect and spread on that scale
  SequenceClaim asked;         ///< the claim on that scale
  std::size_t as_seen = 0;     ///< blocks, or runs of each side, in all until it is decided, if both are as seen
  std::optional<std::size_t>
      planned;                    ///< the same with 90 % power at the planned effect and `most_sd`, where there is one
  std::optional<double> seconds;  ///< that the runs of one block take, or one run of each side
  std::vector<std::string> reports;  ///< it rests on
};

/// Of one question, in the order of its claims. `effect` (a ratio, level or difference) is what to plan for; without it
/// the centre of the claimed range, where that has one: never what was seen.
std::vector<OpenStratum> open_strata(const Question& question, const StoredQuestion& result,
                                     std::optional<double> effect);

/// Whether the effect of a stratum changed while it was recorded (claim_verdicts says so): no further block decides it.
bool effect_changed(const OwnedStratum& stratum);

/// Prints them for all questions that both know; as CSV or JSON one row each with exact numbers. Error (exit 2): no
/// result there, or it answers none of the questions.
Status print_power(const std::vector<Question>& questions, const std::filesystem::path& result,
                   std::optional<double> effect, RowFormat format, std::ostream& out);

}  // namespace assay
