#include "in_steps.hpp"

#include <algorithm>

#include "assay/algo/steps.hpp"

namespace assay::idle {

StepIdle::StepIdle(const Report& report) {
  const step::Steps found = step::steps_of(report);
  if (!found.found()) return;
  Intervals times;
  for (const step::Step& step : found.kept) times.push_back(step.own);
  steps_ = clip(merge(times), {report.window->start, report.window->end});
}

void StepIdle::add(const Gap& gap, const ThreadCalls& calls) {
  auto step = std::ranges::upper_bound(steps_, gap.time.start, {}, &Interval::end);
  for (; step != steps_.end() && step->start < gap.time.end; ++step) {
    Gap part = gap;
    part.time = {std::max(gap.time.start, step->start), std::min(gap.time.end, step->end)};
    const CauseTimes causes = causes_of(part, calls);
    for (std::size_t c = 0; c < kCauses; ++c) times_[c] += causes[c];
  }
}

}  // namespace assay::idle
