#include "check/work.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <limits>

namespace assay::check {
namespace {

files::Descriptor open_counter() {
  perf_event_attr event{};
  event.size = sizeof(event);
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_INSTRUCTIONS;
  event.inherit = 1;  // includes threads started by the analyzer
  event.exclude_kernel = event.exclude_hv = 1;
  return files::Descriptor(static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

/// On some virtual machines the counters do not count.
WorkMeter::WorkMeter() : counter_(open_counter()) {
  if (counter_ && !(now() > 0)) counter_ = {};
}

double WorkMeter::now() const {
  if (!counter_) return seconds(CLOCK_PROCESS_CPUTIME_ID);
  std::uint64_t count = 0;
  return ::read(counter_.get(), &count, sizeof(count)) == sizeof(count) ? static_cast<double>(count) : 0;
}

Work WorkMeter::measure(const std::function<void()>& work) {
  const double began = seconds(CLOCK_MONOTONIC), before = now();
  work();
  return {now() - before, seconds(CLOCK_MONOTONIC) - began};
}

Growth measure_growth(WorkMeter& meter, const std::function<void()>& small, const std::function<void()>& large,
                      int times, double enough) {
  constexpr int kRounds = 5;
  constexpr double kLong = 10;  // s
  constexpr double kUnequal = 1.5, kWaited = 1.25;
  const auto often = [&] {
    for (int i = 0; i < times; ++i) small();
  };
  Growth out{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  double worst = 0, amount = 0, elapsed = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Work of_small = meter.measure(often), of_large = meter.measure(large);
    out.small = std::min(out.small, of_small.amount / times);
    out.large = std::min(out.large, of_large.amount);
    worst = std::max(worst, of_large.amount);
    amount += of_small.amount + of_large.amount;
    elapsed += of_small.elapsed + of_large.elapsed;
    if (meter.counts_instructions()) return out;
    if (out.factor() <= enough || elapsed > kLong) break;
  }
  out.busy = worst > kUnequal * out.large || elapsed > kWaited * amount;
  return out;
}

}  // namespace assay::check
