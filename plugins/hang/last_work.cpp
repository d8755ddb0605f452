#include "last_work.hpp"

#include <algorithm>

#include "algo/properties.hpp"
#include "assay/words.hpp"

namespace assay::hang {
namespace {

constexpr std::int64_t kMinute = std::int64_t{60} * 1'000'000'000;

/// "1.2 s after the last call in its dump"
std::string distance(std::int64_t time, std::int64_t last_call) {
  const std::int64_t ns = time < last_call ? last_call - time : time - last_call;
  return filled("{} {} the last call in its dump",
                {ns > 2 * kMinute ? counted(static_cast<std::size_t>(ns / kMinute), "minute")
                                  : time_text(static_cast<double>(ns)),
                 time < last_call ? "before" : "after"});
}

template <class Times>
std::size_t latest(const Times& times, std::uint64_t rows) {
  return static_cast<std::size_t>(std::max_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(rows)) -
                                  times.begin());
}

/// The call of the program that ended last. A profiler that stops waits for the device and asks for the state of
/// captures, which takes microseconds.
std::size_t last_call_of(const CallTable& calls) {
  constexpr std::int64_t kStop = 100'000;
  std::size_t last = 0;
  bool found = false;
  for (std::size_t c = 0; c < calls.rows; ++c) {
    const bool stop = calls.kind[c] == CallKind::kOther ||
                      (calls.kind[c] == CallKind::kDeviceSync && calls.end[c] - calls.start[c] < kStop);
    if (stop || (found && calls.end[c] < calls.end[last])) continue;
    last = c;
    found = true;
  }
  return found ? last : latest(calls.end, calls.rows);
}

}  // namespace

std::optional<LastWork> last_work_of(const Report& report) {
  const std::optional<std::int64_t> stated = origin_of(report);
  const KernelTable* const kernels = report.kernels;
  const CallTable* const calls = report.calls;
  const bool has_kernels = kernels != nullptr && kernels->rows > 0, has_calls = calls != nullptr && calls->rows > 0;
  if (!stated || *stated <= 0 || (!has_kernels && !has_calls)) return std::nullopt;
  const std::int64_t origin = *stated;
  LastWork work;
  const auto extend = [&](std::int64_t start, std::int64_t end) {
    work.begin = work.begin == kNone ? origin + start : std::min(work.begin, origin + start);
    work.end = std::max(work.end, origin + end);
  };
  if (has_kernels) {
    const std::size_t last = latest(kernels->end, kernels->rows);
    work.kernel_end = origin + kernels->end[last];
    work.kernel = report.string(kernels->short_name[last]);
    extend(kernels->start[0], kernels->end[last]);
  }
  if (has_calls) {
    const std::size_t last = last_call_of(*calls);
    work.call_start = origin + calls->start[last];
    work.call_end = origin + calls->end[last];
    work.call = report.string(calls->name[last]);
    if (calls->range.present() && calls->range[last] >= 0 && report.ranges != nullptr)
      work.range = report.string(report.ranges->name[static_cast<std::size_t>(calls->range[last])]);
    for (std::size_t c = 0; c < calls->rows; ++c) {
      if (calls->kind[c] == CallKind::kKernelLaunch || calls->kind[c] == CallKind::kGraphLaunch)
        work.launch = std::max(work.launch, origin + calls->start[c]);
    }
    extend(calls->start[0], calls->end[latest(calls->end, calls->rows)]);
  }
  return work;
}

std::string last_work_text(std::int64_t rank, std::string_view profile, const LastWork& work, std::int64_t last_call) {
  const std::string who = std::to_string(rank), path(profile);
  // A profile that ends before the dump's last call has not seen what came then; one that begins a minute later shows
  // another time.
  if (work.end < last_call || work.begin > last_call + kMinute)
    return filled("The profile of rank {} ('{}') {} {}, so it does not show the hang.",
                  {who, path, work.end < last_call ? "ends" : "begins",
                   distance(work.end < last_call ? work.end : work.begin, last_call)});
  std::vector<std::string> parts;
  if (work.kernel_end != kNone)
    parts.push_back(filled("its last kernel, {}, ended {}", {work.kernel, distance(work.kernel_end, last_call)}));
  if (work.call_end != kNone) {
    parts.push_back(
        filled("its host was last in {}{}, which took {} and ended {}",
               {work.call, work.range.empty() ? "" : filled(" (range '{}')", {work.range}),
                time_text(static_cast<double>(work.call_end - work.call_start)), distance(work.call_end, last_call)}));
  }
  if (work.kernel_end != kNone && work.launch > work.kernel_end)
    parts.push_back(filled("it launched until {} after that kernel, and no kernel of these launches ended",
                           {time_text(static_cast<double>(work.launch - work.kernel_end))}));
  return filled("Rank {} in its profile ('{}'): {}.", {who, path, listed(parts)});
}

}  // namespace assay::hang
