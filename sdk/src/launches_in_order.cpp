#include "launches_in_order.hpp"

#include "assay/detail/device_clock.hpp"

namespace assay::step {

std::vector<Launches> launches_of(const Report& report) {
  std::vector<Launches> out(static_cast<std::size_t>(report.processes->rows));
  std::vector<Launch> of_call(report.calls == nullptr ? 0 : static_cast<std::size_t>(report.calls->rows));
  const std::vector<std::int64_t> late = detail::device_lateness(report);
  const auto add = [&](const auto* work) {
    for (std::size_t w = 0; work != nullptr && w < work->rows; ++w) {
      const Row call = work->call.present() && !of_call.empty() ? work->call[w] : kNone;
      if (call < 0) out[work->process[w]].all_.push_back({.at = work->start[w], .recorded = of_call.empty()});
      Launch& launch = call < 0 ? out[work->process[w]].all_.back() : of_call[static_cast<std::size_t>(call)];
      launch.time += work->end[w] - work->start[w];
      ++launch.count;
      launch.start = std::min(launch.start, work->start[w] - late[work->process[w]]);
      launch.end = std::max(launch.end, work->end[w] - late[work->process[w]]);
    }
  };
  add(report.kernels);
  add(report.graphs);
  add(report.copies);
  add(report.sets);
  for (std::size_t c = 0; c < of_call.size(); ++c) {
    if (of_call[c].count == 0) continue;
    Launches& own = out[report.threads->process[report.calls->thread[c]]];
    own.first_recorded_ = std::min(own.first_recorded_, of_call[c].start);
    own.all_.push_back(of_call[c]);
    own.all_.back().at = report.calls->start[c];
  }
  for (Launches& own : out) {
    if (!std::ranges::is_sorted(own.all_, {}, &Launch::at)) std::ranges::stable_sort(own.all_, {}, &Launch::at);
    own.before_.reserve(own.all_.size() + 1);
    for (const Launch& launch : own.all_)
      own.before_.push_back(own.before_.back() + (launch.recorded ? launch.time : 0));
  }
  return out;
}

}  // namespace assay::step
