// `assay plan --power`: what the open claims of a finished result rest on, and what it takes to decide them.
#pragma once

#include <optional>

#include "config/question.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// A stratum of a claim that is inconclusive.
struct OpenStratum {
  std::string claim, labels;
  std::string in_vain;     ///< why no number of runs decides it, or why that is not known; then the rest is not there
  bool recorded = false;   ///< judged by blocks of a recording; else by runs without blocks, none of which counts
  std::size_t blocks = 0;  ///< or without blocks: runs that the spread comes from
  double effect = 0;       ///< as it was seen: a ratio, a level or a difference
  double sd = 0, most_sd = 0;  ///< between the differences of blocks, in logs (logits, or the metric); upper 80 % limit
  std::size_t as_seen = 0;     ///< blocks in all until it is decided, if effect and spread are as seen
  std::optional<std::size_t>
      planned;                    ///< the same with 90 % power at the planned effect and `most_sd`, where there is one
  std::optional<double> seconds;  ///< that the runs of one block take
  std::vector<std::string> reports;  ///< it rests on
};

/// Beyond this many blocks nobody replicates; `as_seen` and `planned` are one more then.
inline constexpr std::size_t kMostPlannedBlocks = 10000;

/// Of one question, in the order of its claims. `effect` (a ratio, level or difference) is what to plan for; without it
/// the centre of the claimed range, where that has one: never what was seen.
std::vector<OpenStratum> open_strata(const Question& question, const StoredQuestion& result,
                                     std::optional<double> effect);

/// Prints them for all questions that both know. Error (exit 2): no result there, or it answers none of the questions.
Exit show_power(const std::vector<Question>& questions, const std::filesystem::path& result,
                std::optional<double> effect);

}  // namespace assay
