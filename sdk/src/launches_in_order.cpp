#include "launches_in_order.hpp"

#include "assay/detail/device_clock.hpp"
#include "assay/detail/launching_calls.hpp"

namespace assay::step {

std::vector<Launches> launches_of(const Report& report) {
  std::vector<Launches> out(static_cast<std::size_t>(report.processes->rows));
  const std::size_t calls = report.calls == nullptr ? 0 : static_cast<std::size_t>(report.calls->rows);
  const auto each_work = [&](const auto& use) {
    const auto each_of = [&](const auto* work) {
      for (std::size_t w = 0; work != nullptr && w < work->rows; ++w)
        use(*work, w, work->call.present() && calls > 0 ? work->call[w] : kNone);
    };
    each_of(report.kernels);
    each_of(report.graphs);
    each_of(report.copies);
    each_of(report.sets);
  };
  const detail::LaunchingCalls launching(report);
  each_work([&](const auto& work, std::size_t w, Row call) {
    if (call < 0) out[work.process[w]].all_.push_back({.at = work.start[w], .recorded = calls == 0});
  });
  std::vector<std::size_t> uncalled;  // launches of each process without a call, which come first
  for (const Launches& own : out) uncalled.push_back(own.all_.size());
  const auto process_of = [&](std::size_t c) { return report.threads->process[report.calls->thread[c]]; };
  std::vector<std::size_t> all_of = uncalled;
  for (std::size_t c = 0; c < calls; ++c) all_of[process_of(c)] += launching.contains(static_cast<Row>(c)) ? 1U : 0U;
  for (std::size_t p = 0; p < out.size(); ++p) out[p].all_.reserve(all_of[p]);
  std::vector<Row> number;  // of each launch in its process
  number.reserve(launching.size());
  for (std::size_t c = 0; c < calls; ++c) {
    if (!launching.contains(static_cast<Row>(c))) continue;
    std::vector<Launch>& all = out[process_of(c)].all_;
    number.push_back(static_cast<Row>(all.size()));
    all.push_back({.at = report.calls->start[c]});
  }
  const std::vector<std::int64_t> late = detail::device_lateness(report);
  std::vector<std::size_t> next(out.size(), 0);
  each_work([&](const auto& work, std::size_t w, Row call) {
    const std::uint32_t process = work.process[w];
    const auto c = static_cast<std::size_t>(call);
    Launch& launch = call < 0 ? out[process].all_[next[process]++]
                              : out[process_of(c)].all_[static_cast<std::size_t>(number[launching.number(call)])];
    launch.time += work.end[w] - work.start[w];
    ++launch.count;
    launch.start = std::min(launch.start, work.start[w] - late[process]);
    launch.end = std::max(launch.end, work.end[w] - late[process]);
  });
  for (std::size_t p = 0; p < out.size(); ++p) {
    Launches& own = out[p];
    for (std::size_t l = uncalled[p]; l < own.all_.size(); ++l)
      own.first_recorded_ = std::min(own.first_recorded_, own.all_[l].start);
    if (!std::ranges::is_sorted(own.all_, {}, &Launch::at)) std::ranges::stable_sort(own.all_, {}, &Launch::at);
    own.before_.reserve(own.all_.size() + 1);
    for (const Launch& launch : own.all_)
      own.before_.push_back(own.before_.back() + (launch.recorded ? launch.time : 0));
  }
  return out;
}

}  // namespace assay::step
