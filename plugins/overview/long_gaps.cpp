#include "long_gaps.hpp"

#include <algorithm>

#include "assay/words.hpp"

namespace assay::overview {
namespace {

/// What to do if the device idled for a cause in long gaps; `without_call`: if it is unknown in which API call.
struct GapWords {
  std::string_view cause;
  const char *what, *without_call;
};
constexpr GapWords kInLongGaps[] = {
    {"api", "keep first uses out of the capture (memory, kernels, libraries): run a step before the profiler starts",
     "see which call it is: the first use of memory, kernels and libraries takes long; run a step before the profiler "
     "starts"},
    {"sync",
     "capture several steps after a warm-up: a single long wait is the start or the end of a run; if it is in every "
     "step, see what the call waits for",
     "see what the host waits for there; if it is the start or the end of the run, capture steps after it"},
};

}  // namespace

std::string long_gaps_text(const Run& run, std::string_view cause) {
  const auto at =
      std::find_if(run.long_gaps.begin(), run.long_gaps.end(), [&](const auto& g) { return g.first == cause; });
  if (at == run.long_gaps.end() || !run.long_gap_count || !run.window_ns || at->second < 0.5 * run.idle_for(cause))
    return {};
  std::string text =
      filled(", {} of it in {} over 10 ms",
             {time_text(at->second * *run.window_ns), counted(static_cast<std::size_t>(*run.long_gap_count), "gap")});
  const bool names_call = (cause == "api" || cause == "sync") && !run.long_gap_call.empty();
  if (names_call) text += ", most in " + run.long_gap_call;
  if (!run.long_gap_range.empty()) text += (names_call ? " of '" : ", most in '") + run.long_gap_range + "'";
  return text;
}

std::vector<Advice> gap_advice(const Run& run, double least) {
  std::vector<Advice> out;
  for (const auto& [cause, what, without_call] : kInLongGaps) {
    const std::string gaps = long_gaps_text(run, cause);
    const double share = run.idle_for(cause);
    if (gaps.empty() || share < least) continue;
    out.push_back({run.report, run.long_gap_call.empty() ? without_call : what,
                   filled("the device idled {} of the time for {}{}", {percent(share, 0), cause_word(cause), gaps}),
                   share});
  }
  return out;
}

}  // namespace assay::overview
