#include "usage.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace assay::memory {
namespace {

using Annotations = std::map<std::string, std::vector<Annotation>>;

/// Annotations whose name begins with a prefix.
Annotations with_prefix(const std::vector<Annotation>& all, std::string_view prefix) {
  Annotations found;
  for (const Annotation& one : all) {
    if (one.name.starts_with(prefix)) found[std::string(one.name)].push_back(one);
  }
  return found;
}

/// 12 for "ProfilerStep#12"; `otherwise` without a number.
std::int64_t number_in(std::string_view name, std::int64_t otherwise) {
  std::int64_t number = otherwise;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return number;
}

/// Keeps the steps that overlap the history of allocations, from `begin` to `end`.
void keep_recorded(Steps& steps, std::int64_t begin, std::int64_t end) {
  const auto first = static_cast<std::size_t>(std::ranges::lower_bound(steps.ends, begin) - steps.ends.begin());
  const auto last = static_cast<std::size_t>(std::ranges::lower_bound(steps.ends, end) - steps.ends.begin());
  const auto keep = [&](auto& of_step) {
    if (last + 1 < of_step.size()) of_step.resize(last + 1);
    of_step.erase(of_step.begin(), of_step.begin() + static_cast<std::ptrdiff_t>(std::min(first, of_step.size())));
  };
  keep(steps.ends);
  keep(steps.numbers);
}

}  // namespace

std::vector<Annotation> annotations_of(const Report& report) {
  std::vector<Annotation> all;
  std::set<StringId> names;
  for (std::size_t r = 0; report.ranges != nullptr && report.ranges->name.present() && r < report.ranges->rows; ++r) {
    names.insert(report.ranges->name[r]);
    all.push_back({report.ranges->start[r], report.ranges->end[r], report.string(report.ranges->name[r])});
  }
  const DeclaredTable* table = report.table("memory_annotations");
  if (table == nullptr) return all;
  const auto begin = table->integers("begin"), end = table->integers("end");
  const auto name = table->texts("name");
  for (std::size_t a = 0; a < table->rows; ++a) {  // a snapshot repeats those in a trace of the same run
    if (!names.contains(name[a])) all.push_back({begin[a], end[a], report.string(name[a])});
  }
  return all;
}

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
    if (allocations->allocated_by[a] == kNone) peak.before = sum(peak.before, allocations->size[a]);
    peak.bytes = peak.before;
  }
  const AllocationTable& changes = *report.allocations;
  for (std::size_t c = 0; c < changes.rows; ++c) {
    if (changes.device[c] == kNone) continue;
    DevicePeak& peak = devices[changes.device[c]];
    peak.reserved = std::max(peak.reserved, changes.reserved[c]);
    if (changes.allocated[c] <= peak.bytes) continue;
    peak.bytes = changes.allocated[c];
    peak.change = static_cast<std::int64_t>(c);
    peak.time = changes.time[c];
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

Steps find_steps(const Report& report, const std::vector<Annotation>& annotations) {
  Steps steps;
  std::vector<std::pair<std::int64_t, std::int64_t>> found;  // end, number
  const auto add_found = [&] {
    std::ranges::sort(found);
    for (const auto& [end, number] : found) {
      steps.ends.push_back(end);
      steps.numbers.push_back(number);
    }
  };
  if (report.iterations != nullptr) {
    for (std::size_t i = 0; i < report.iterations->rows; ++i)
      found.emplace_back(report.iterations->end[i], report.iterations->number[i]);
    steps.name = "step";
  }
  if (found.empty()) {
    for (const auto& [name, rows] : with_prefix(annotations, "ProfilerStep#"))
      found.emplace_back(rows.front().end, number_in(name, 0));
    steps.name = "ProfilerStep";
  }
  std::vector<Annotation> updates;
  std::string optimizer;
  for (auto& [name, rows] : with_prefix(annotations, "Optimizer.step#")) {
    if (rows.size() > updates.size()) {
      updates = std::move(rows);
      optimizer = name;
    }
  }
  for (const Annotation& update : updates) steps.updates.push_back(update.begin);
  if (found.empty()) {
    steps.name = optimizer;
    for (const Annotation& update : updates) found.emplace_back(update.end, 0);
    std::ranges::sort(found);
    for (std::size_t i = 0; i < found.size(); ++i) found[i].second = static_cast<std::int64_t>(i);
  }
  add_found();
  const AllocationTable& changes = *report.allocations;
  if (changes.rows > 0) keep_recorded(steps, changes.time[0], changes.time[changes.rows - 1]);
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
      peak = std::max(peak, now);
      least = std::min(least, now);
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
