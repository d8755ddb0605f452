#include "assay/detail/device_clock.hpp"

#include <algorithm>
#include <limits>

#include "assay/detail/launching_calls.hpp"

namespace assay::detail {
namespace {

constexpr std::int64_t kReturnsWithin = 25'000, kReturn = 3'500, kLeastLaunch = 3'500, kNegligible = 2'000;  // ns
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

struct ProcessClock {
  std::int64_t least_lag = std::numeric_limits<std::int64_t>::max();  ///< from a launch to the start of its work
  std::int64_t last_end = kNever;                                     ///< of the work launched so far
  std::int64_t excess = kNever;  ///< by how much work ended after the return of a wait for it, at most
  std::int32_t device = kNone, stream = kNone;
  bool several_devices = false, several_streams = false;

  void see(std::int32_t on_device, std::int32_t on_stream) {
    several_devices = several_devices || (device != kNone && device != on_device);
    several_streams = several_streams || (stream != kNone && stream != on_stream);
    device = on_device;
    stream = on_stream;
  }
  [[nodiscard]] std::int64_t lateness() const {
    if (several_devices || excess <= -kReturnsWithin) return 0;
    const std::int64_t late = std::min(excess + kReturn, least_lag - kLeastLaunch);
    return late > kNegligible ? late : 0;
  }
};

}  // namespace

std::vector<std::int64_t> device_lateness(const Report& report) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(report.processes->rows), 0);
  if (report.calls == nullptr) return out;
  const CallTable& calls = *report.calls;
  std::vector<ProcessClock> clocks(out.size());
  const LaunchingCalls launching(report);
  std::vector<std::int64_t> ends(launching.size(), kNever);
  const auto add = [&](const auto* work) {
    for (std::size_t w = 0; work != nullptr && work->call.present() && w < work->rows; ++w) {
      const Row call = work->call[w];
      if (call < 0) continue;
      ProcessClock& clock = clocks[work->process[w]];
      clock.see(work->device[w], work->stream[w]);
      clock.least_lag = std::min(clock.least_lag, work->start[w] - calls.start[call]);
      std::int64_t& end = ends[launching.number(call)];
      end = std::max(end, work->end[w]);
    }
  };
  add(report.kernels);
  add(report.graphs);
  add(report.copies);
  add(report.sets);
  std::size_t launched = 0;
  for (std::size_t c = 0; c < calls.rows; ++c) {
    ProcessClock& clock = clocks[report.threads->process[calls.thread[c]]];
    const bool waits =
        calls.kind[c] == CallKind::kDeviceSync || (calls.kind[c] == CallKind::kStreamSync && !clock.several_streams);
    if (waits && clock.last_end != kNever) clock.excess = std::max(clock.excess, clock.last_end - calls.end[c]);
    if (launching.contains(static_cast<Row>(c))) clock.last_end = std::max(clock.last_end, ends[launched++]);
  }
  for (std::size_t p = 0; p < out.size(); ++p) out[p] = clocks[p].lateness();
  return out;
}

}  // namespace assay::detail
