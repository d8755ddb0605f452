#include "usage.hpp"

#include <algorithm>
#include <map>

namespace assay::memory {
namespace {

struct Annotation {
  std::int64_t begin, end;
};

/// Annotations by name, of those that begin with a prefix: of a snapshot, or ranges of a trace.
std::map<std::string, std::vector<Annotation>> annotations(const Report& report, std::string_view prefix) {
  std::map<std::string, std::vector<Annotation>> found;
  if (const DeclaredTable* table = report.table("memory_annotations")) {
    const auto begin = table->integers("begin"), end = table->integers("end");
    const auto name = table->texts("name");
    for (std::size_t a = 0; a < table->rows; ++a) {
      const std::string_view text = report.string(name[a]);
      if (text.starts_with(prefix)) found[std::string(text)].push_back({begin[a], end[a]});
    }
  } else if (report.ranges != nullptr && report.ranges->name.present()) {
    for (std::size_t r = 0; r < report.ranges->rows; ++r) {
      const std::string_view text = report.string(report.ranges->name[r]);
      if (text.starts_with(prefix))
        found[std::string(text)].push_back({report.ranges->start[r], report.ranges->end[r]});
    }
  }
  return found;
}

}  // namespace

Allocations::Allocations(const DeclaredTable& table)
    : rows(static_cast<std::size_t>(table.rows)),
      begin(table.integers("begin")),
      end(table.integers("end")),
      size(table.integers("size")),
      device(table.integers("device")),
      stack(table.integers("stack")),
      allocated_by(table.integers("allocated_by")),
      freed_by(table.integers("freed_by")) {}

std::vector<DevicePeak> device_peaks(const Report& report, const Allocations* allocations) {
  std::map<std::int64_t, DevicePeak> devices;
  for (std::size_t a = 0; allocations != nullptr && a < allocations->rows; ++a) {
    DevicePeak& peak = devices[allocations->device[a]];
    if (allocations->allocated_by[a] == kNone) peak.before += allocations->size[a];
    peak.bytes = peak.before;
  }
  const AllocationTable& changes = *report.allocations;
  for (std::size_t c = 0; c < changes.rows; ++c) {
    if (changes.device[c] == kNone) continue;
    DevicePeak& peak = devices[changes.device[c]];
    peak.reserved = std::max(peak.reserved, changes.reserved[c]);
    if (changes.allocated[c] <= peak.bytes) continue;
    peak.bytes = changes.allocated[c], peak.change = static_cast<std::int64_t>(c), peak.time = changes.time[c];
  }
  std::vector<DevicePeak> peaks;
  for (auto& [device, peak] : devices) {
    peak.device = static_cast<std::int32_t>(device);
    if (peak.bytes > 0) peaks.push_back(peak);
  }
  std::ranges::stable_sort(peaks, std::ranges::greater(), &DevicePeak::bytes);
  return peaks;
}

std::size_t Steps::at(std::int64_t time) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ends, time) - ends.begin());
}

Steps find_steps(const Report& report) {
  Steps steps;
  for (const auto& [name, rows] : annotations(report, "ProfilerStep#")) {
    for (const Annotation& row : rows) steps.ends.push_back(row.end);
    steps.name = "ProfilerStep";
  }
  std::vector<Annotation> updates;
  for (auto& [name, rows] : annotations(report, "Optimizer.step#")) {
    if (rows.size() <= updates.size()) continue;
    updates = std::move(rows);
    if (steps.ends.empty() || steps.name.starts_with("Optimizer.")) steps.name = name;
  }
  const bool by_updates = steps.ends.empty();
  for (const Annotation& update : updates) {
    steps.updates.push_back(update.begin);
    if (by_updates) steps.ends.push_back(update.end);
  }
  std::ranges::sort(steps.ends);
  std::ranges::sort(steps.updates);
  return steps;
}

StepUse use_of_steps(const Report& report, const DevicePeak& device, const Steps& steps) {
  const AllocationTable& changes = *report.allocations;
  StepUse use;
  auto now = static_cast<double>(device.before);
  std::size_t change = 0;
  for (std::size_t step = 0; step < steps.ends.size(); ++step) {
    double peak = now, least = now;
    for (; change < changes.rows && changes.time[change] <= steps.ends[step]; ++change) {
      if (changes.device[change] != device.device) continue;
      now = static_cast<double>(changes.allocated[change]);
      peak = std::max(peak, now), least = std::min(least, now);
    }
    use.peak.push_back(peak);
    if (step > 0) use.least.push_back(least);
  }
  return use;
}

std::vector<double> differences(const std::vector<double>& values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) steps.push_back(values[i] - values[i - 1]);
  return steps;
}

}  // namespace assay::memory
