#include "assay/algo/idle_gaps.hpp"

#include <algorithm>
#include <map>

namespace assay::idle {
namespace {

struct Work {
  std::int64_t start, end;
  Row call;
};

template <class Table>
void add(const Table* table, const Window& window, std::map<std::int32_t, std::vector<Work>>& devices) {
  if (table == nullptr) return;
  for (std::size_t i = 0; i < table->rows; ++i) {
    if (table->membership[i] == Membership::kOutside) continue;
    const std::int64_t start = std::clamp(table->start[i], window.start, window.end);
    const std::int64_t end = std::clamp(table->end[i], start, window.end);
    const std::int32_t device = table->device.present() ? table->device[i] : kNone;
    devices[device].push_back({start, end, table->call.present() ? table->call[i] : Row{-1}});
  }
}

std::vector<Gap> gaps_between(std::vector<Work>& work, const Window& window) {
  std::stable_sort(work.begin(), work.end(), [](const Work& a, const Work& b) { return a.start < b.start; });
  std::vector<Gap> gaps;
  std::int64_t reach = window.start;
  for (const Work& w : work) {
    if (w.start > reach) gaps.push_back({{reach, w.start}, false, w.call});
    reach = std::max(reach, w.end);
  }
  if (reach < window.end) gaps.push_back({{reach, window.end}, true, -1});
  return gaps;
}

}  // namespace

std::vector<DeviceGaps> gaps_by_device(const Report& report) {
  std::map<std::int32_t, std::vector<Work>> devices;
  add(report.kernels, *report.window, devices);
  add(report.graphs, *report.window, devices);
  add(report.copies, *report.window, devices);
  add(report.sets, *report.window, devices);
  std::vector<DeviceGaps> out;
  for (auto& [device, work] : devices) out.push_back({device, gaps_between(work, *report.window)});
  return out;
}

}  // namespace assay::idle
