#include "device_time.hpp"

#include <algorithm>

#include "assay/algo/intervals.hpp"
#include "groups.hpp"
#include "launches.hpp"
#include "remarks.hpp"

namespace assay::nsys {
namespace {

/// What a process had running on a device.
struct DeviceTime {
  std::int64_t process = 0, device = 0;
  std::int64_t context = kNoInteger;  ///< of the work that ends last, the first of several
  std::int64_t last_end = std::numeric_limits<std::int64_t>::min();
  std::uint32_t process_row = 0;
  Intervals work;   ///< sorted by start, overlapping as they ran
  Interval extent;  ///< from the first work to the last, within the window
};

class Collection {
 public:
  /// `graphs`: launches that were traced as a whole count from their start to their end, which nsys leaves out.
  Collection(const Report& report, bool graphs) : report_(report) {
    const auto count = [&](const auto* events) { rows_ += events != nullptr ? events->rows : 0; };
    count(report.kernels), count(report.copies), count(report.sets);
    if (graphs) count(report.graphs);
    add(report.kernels);
    add(report.copies);
    add(report.sets);
    if (graphs) add(report.graphs);
    for (std::uint32_t g = 0; g < devices_.size(); ++g) finish(g);
  }

  /// Overhead of tracing anything else, such as the allocation of thread-local memory, does not hold a GPU up.
  bool is_of_cuda(const OverheadTable& overheads, std::size_t row) const {
    if (!overheads.name.present()) return true;
    const std::string_view name = report_.string(overheads.name[row]);
    return name.starts_with("CUDA") || name.starts_with("CUPTI");
  }

  /// Counts the profiler's overhead within each extent as work. False when that is more than can be listed.
  bool add_overheads() {
    if (report_.overheads == nullptr) return true;
    std::vector<Intervals> of_process(report_.processes->rows);
    const OverheadTable& overheads = *report_.overheads;
    for (std::size_t row = 0; row < overheads.rows; ++row) {
      if (!is_of_cuda(overheads, row)) continue;
      if (overheads.process[row] < of_process.size())
        of_process[overheads.process[row]].push_back({overheads.start[row], overheads.end[row]});
    }
    std::uint64_t visits = 0;
    for (DeviceTime& d : devices_) {
      if (d.process_row >= of_process.size()) continue;
      visits += of_process[d.process_row].size();
      if (visits > kMostVisits) return false;
      const auto worked = static_cast<std::ptrdiff_t>(d.work.size());
      for (const Interval& i : of_process[d.process_row]) {
        if (i.start < d.extent.end && i.end > d.extent.start)
          d.work.push_back({std::max(i.start, d.extent.start), std::min(i.end, d.extent.end)});
      }
      std::inplace_merge(d.work.begin(), d.work.begin() + worked, d.work.end(), by_start);
    }
    return true;
  }

  [[nodiscard]] const std::vector<DeviceTime>& devices() const { return devices_; }

 private:
  static bool by_start(const Interval& a, const Interval& b) { return a.start < b.start; }

  /// The window's work belongs to it whole; other work in it only as far as it lies inside.
  template <class Events>
  void add(const Events* events) {
    if (events == nullptr) return;
    std::vector<std::ptrdiff_t> sorted(devices_.size());
    for (std::size_t g = 0; g < devices_.size(); ++g) sorted[g] = static_cast<std::ptrdiff_t>(devices_[g].work.size());
    for (std::size_t row = 0; row < events->rows; ++row) {
      if (events->membership[row] == Membership::kOutside) continue;
      DeviceTime& d = device_of(events->process[row], events->device[row]);
      Interval i{events->start[row], events->end[row]};
      if (report_.window->named != 0)
        i = {std::max(i.start, report_.window->start), std::min(i.end, report_.window->end)};
      if (inside(*events, row)) d.extent = {std::min(d.extent.start, i.start), std::max(d.extent.end, i.end)};
      d.work.push_back(i);
      if constexpr (requires { events->context; }) {
        if (events->context.present() && events->end[row] > d.last_end) d.context = events->context[row];
      }
      d.last_end = std::max(d.last_end, events->end[row]);
    }
    sorted.resize(devices_.size(), 0);
    for (std::size_t g = 0; g < devices_.size(); ++g) {
      Intervals& work = devices_[g].work;
      const auto middle = work.begin() + sorted[g];
      if (report_.window->named != 0) std::sort(middle, work.end(), by_start);  // clipping may have moved starts
      std::inplace_merge(work.begin(), middle, work.end(), by_start);
    }
  }

  /// The first device has room for all work, since most captures are of one.
  DeviceTime& device_of(std::uint32_t process, std::int32_t device) {
    const std::uint32_t g = ids_.of({process, static_cast<std::uint32_t>(device)});
    if (g == devices_.size()) {
      DeviceTime& d = devices_.emplace_back();
      if (g == 0) d.work.reserve(rows_);
      d.process = id_of(*report_.processes, process);
      d.process_row = process;
      d.device = device;
      d.extent = {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    }
    return devices_[g];
  }

  /// Cuts what the window's own work does not reach to.
  void finish(std::uint32_t g) {
    DeviceTime& d = devices_[g];
    for (Interval& i : d.work) i = {std::max(i.start, d.extent.start), std::min(i.end, d.extent.end)};
  }

  const Report& report_;
  std::size_t rows_ = 0;  ///< of all work
  TupleIds<2> ids_;
  std::vector<DeviceTime> devices_;
};

/// A row of either rule.
struct Stretch {
  double use = 0;  ///< percent
  std::int64_t duration = 0, start = 0;
  const DeviceTime* of = nullptr;
};

void add_stretches(Table& table, const std::vector<Stretch>& rows, bool with_use) {
  std::vector<std::int64_t> numbers, durations, starts, processes, devices, contexts;
  std::vector<double> uses;
  for (const Stretch& row : rows) {
    numbers.push_back(static_cast<std::int64_t>(numbers.size()) + 1);
    uses.push_back(tenths(row.use));
    durations.push_back(row.duration), starts.push_back(row.start);
    processes.push_back(row.of->process), devices.push_back(row.of->device), contexts.push_back(row.of->context);
  }
  table.add("Row#", "", std::move(numbers));
  if (with_use) table.add("In-Use", "%", std::move(uses));
  table.add("Duration", "ns", std::move(durations));
  table.add("Start", "ns", std::move(starts));
  table.add("PID", "", std::move(processes));
  table.add("Device ID", "", std::move(devices));
  table.add("Context ID", "", std::move(contexts));
}

/// How much of each part work fills; concurrent work adds. Linear in work and parts.
std::vector<DeviceUse::Part> parts_of(const DeviceTime& d, std::int64_t count) {
  const std::int64_t range = d.extent.end - d.extent.start;
  const std::int64_t length = range / count + (range % count == 0 ? 0 : 1);
  const auto chunk_at = [&](std::int64_t time) { return static_cast<std::size_t>((time - d.extent.start) / length); };
  const auto start_of = [&](std::size_t chunk) { return d.extent.start + static_cast<std::int64_t>(chunk) * length; };
  std::vector<WideSum> filled(static_cast<std::size_t>(count));
  std::vector<std::int64_t> covers(static_cast<std::size_t>(count), 0);  // how many more fill it whole than the last
  for (const Interval& work : d.work) {
    if (work.end <= work.start) continue;
    const std::size_t first = chunk_at(work.start), last = chunk_at(work.end - 1);
    if (first == last) {
      filled[first].add(work.end - work.start);
      continue;
    }
    filled[first].add(start_of(first + 1) - work.start);
    filled[last].add(work.end - start_of(last));
    ++covers[first + 1], --covers[last];
  }
  std::vector<DeviceUse::Part> parts;
  std::int64_t covering = 0;
  for (std::int64_t left = range; left > 0; left -= std::min(left, length)) {
    const std::size_t part = parts.size();
    const std::int64_t duration = std::min(left, length);
    covering += covers[part];
    const double busy = filled[part].real() + static_cast<double>(covering) * static_cast<double>(duration);
    parts.push_back({start_of(part), duration, busy});
  }
  return parts;
}

/// Parts in use for less than the limit, neighbours as one with their mean by length.
void append_low(std::vector<Stretch>& rows, const DeviceTime& d, const UseRule& rule) {
  bool joins = false;
  for (const DeviceUse::Part& part : parts_of(d, rule.chunks)) {
    const Stretch chunk{part.busy * 100.0 / static_cast<double>(part.duration), part.duration, part.start, &d};
    const bool low = chunk.use < rule.percent;
    if (low && joins) {
      Stretch& last = rows.back();
      const auto a = static_cast<double>(last.duration), b = static_cast<double>(chunk.duration);
      last.use = (last.use * a + chunk.use * b) / (a + b);
      last.duration += chunk.duration;
    } else if (low) {
      rows.push_back(chunk);
    }
    joins = low;
  }
}

bool no_work(const Report& report, bool graphs) {
  return report.kernels == nullptr && report.copies == nullptr && report.sets == nullptr &&
         (!graphs || report.graphs == nullptr);
}

constexpr const char* kNoWork = "the export holds no CUDA work of a GPU";
constexpr const char* kTooMuch = "there is more profiler overhead on more devices than can be listed";

}  // namespace

std::vector<DeviceUse> device_use(const Report& report, std::int64_t parts, Mode mode) {
  const Collection work(report, mode == Mode::kCorrected);
  std::vector<DeviceUse> used;
  for (const DeviceTime& d : work.devices()) {
    if (d.extent.end > d.extent.start) used.push_back({d.process, d.device, parts_of(d, parts)});
  }
  return used;
}

Made gaps(const Report& report, const Task& task, const GapRule& rule) {
  if (no_work(report, task.corrected())) return lacking(kNoWork);
  Collection work(report, task.corrected());
  if (!work.add_overheads()) return lacking(kTooMuch);
  std::vector<Stretch> rows;
  for (const DeviceTime& d : work.devices()) {
    if (d.work.empty()) continue;
    std::int64_t reach = d.work.front().start;
    for (const Interval& i : d.work) {
      if (i.start - reach > rule.longer_than) rows.push_back({0, i.start - reach, reach, &d});
      reach = std::max(reach, i.end);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Stretch& a, const Stretch& b) { return a.duration > b.duration; });
  rows.resize(std::min(rows.size(), rule.rows));
  Made made{table_of(task), {}, use_remarks(report, task.mode)};
  add_stretches(*made.table, rows, false);
  return made;
}

Made low_use(const Report& report, const Task& task, const UseRule& rule) {
  if (no_work(report, task.corrected())) return lacking(kNoWork);
  const Collection work(report, task.corrected());
  std::vector<Stretch> rows;
  for (const DeviceTime& d : work.devices()) {
    if (d.extent.end > d.extent.start) append_low(rows, d, rule);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Stretch& a, const Stretch& b) {
    return a.use != b.use ? a.use < b.use : a.duration < b.duration;
  });
  Made made{table_of(task), {}, use_remarks(report, task.mode)};
  add_stretches(*made.table, rows, true);
  return made;
}

}  // namespace assay::nsys
