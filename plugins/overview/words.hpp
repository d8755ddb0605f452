// Texts about runs: what limits each, what to try, and which differ from the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/output.hpp"
#include "runs.hpp"
#include "unlike.hpp"

namespace assay::overview {

/// "launches": what limits a run, in one or two words.
std::string limit_word(const Run& run, Limit limit);

/// "host code": what an idle device waits for, in a headline.
std::string cause_word(std::string_view cause);

/// "host code between launches": what an idle device waits for, in a table.
std::string waits_for(std::string_view cause);

/// "matmul (60 % of kernel time)": the class of kernels with most time; empty: not known.
std::string top_class(const Run& run);

/// "31 %", "not known".
std::string share_text(const std::optional<double>& share);

/// What follows a bubble: ", of equal stages 43 %"; profiles that do not name the other side of messages know neither.
std::string ideal_text(const OtherRanks& others);

/// "GPU busy 31 %; launch-bound: kernels take 3.1 us, launches come every 9.8 us".
std::string headline(const Run& run, Limit limit);

/// A recommendation with its measured reason.
struct Advice {
  std::size_t report = 0;
  std::string what, because;
  double share = 0;                 ///< the time concerned, as a share (0..1) of the window or of what `because` names
  std::optional<double> gain = {};  ///< maximum share of a step saved, by the replay; nullopt: unknown
  std::string command = {};         ///< replays it; empty: none does
  bool at_least = false;            ///< the gain is a lower bound
};

/// Recommendations sorted by predicted gain, or else by the share concerned; empty if none is significant.
std::vector<Advice> advice_for(const Run& run, Limit limit, const Thresholds& thresholds);

std::vector<Finding> findings(const std::vector<Run>& runs, const std::vector<Limit>& limits,
                              const std::vector<Unlike>& unlike, const std::vector<Advice>& advice);
/// Whether the table of runs is by the time of a step: some have one.
bool by_step(const std::vector<Run>& runs);
/// By the time of a step, shortest first, if known; else those unlike the others first.
Table run_table(const std::vector<Run>& runs, const std::vector<Limit>& limits, const std::vector<Unlike>& unlike);
Table advice_table(const std::vector<Advice>& advice, const StudyView& view);

}  // namespace assay::overview
