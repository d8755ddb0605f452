#include "samples.hpp"

#include <algorithm>
#include <map>

namespace assay::gpu_metrics {

SampleRange DeviceSamples::within(std::int64_t start, std::int64_t end) const {
  const auto first = std::ranges::lower_bound(times, start);
  const auto last = std::upper_bound(first, times.end(), end);
  return {static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(last - times.begin())};
}

std::int64_t DeviceSamples::period() const {
  constexpr std::size_t kEnough = 1001;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < std::min(times.size(), kEnough); ++i) steps.push_back(times[i] - times[i - 1]);
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle;
}

std::vector<DeviceSamples> samples_by_device(const DeclaredTable& table) {
  const Column<std::int64_t> time = table.integers("time"), device = table.integers("device");
  if (!time.present() || !device.present()) return {};
  std::map<std::int64_t, DeviceSamples> by_device;
  DeviceSamples* last = nullptr;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (last == nullptr || last->device != device[row]) {
      last = &by_device[device[row]];
      last->device = static_cast<std::int32_t>(device[row]);
    }
    last->times.push_back(time[row]);
    last->rows.push_back(static_cast<std::uint32_t>(row));
  }
  std::vector<DeviceSamples> out;
  for (auto& [id, samples] : by_device) out.push_back(std::move(samples));
  return out;
}

std::vector<SampleRange> merged(std::vector<SampleRange> ranges) {
  std::ranges::sort(ranges, {}, &SampleRange::first);
  std::vector<SampleRange> out;
  for (const SampleRange& range : ranges) {
    if (range.last <= range.first) continue;
    if (!out.empty() && range.first <= out.back().last)
      out.back().last = std::max(out.back().last, range.last);
    else
      out.push_back(range);
  }
  return out;
}

}  // namespace assay::gpu_metrics
