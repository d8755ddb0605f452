#include "device_time.hpp"

#include <algorithm>

#include "assay/algo/intervals.hpp"
#include "groups.hpp"
#include "launches.hpp"
#include "remarks.hpp"

namespace assay::nsys {
namespace {

/// The work of one process on one device.
struct DeviceTime {
  std::int64_t process = 0, device = 0;
  std::int64_t context = kNoInteger;  ///< of the work that ends last, the first if several
  std::int64_t last_end = std::numeric_limits<std::int64_t>::min();
  std::uint32_t process_row = 0;
  Interval extent{std::numeric_limits<std::int64_t>::max(),
                  std::numeric_limits<std::int64_t>::min()};  ///< from the first work to the last, within the window
};

class Devices {
 public:
  /// `graphs`: launches traced as a whole count from start to end; nsys ignores them.
  Devices(const Report& report, bool graphs) : report_(report), graphs_(graphs) {
    each_table([&](const auto& events) { add_events(events); });
  }

  [[nodiscard]] const std::vector<DeviceTime>& all() const { return devices_; }

  /// Calls `use(device, interval)` for all work, clipped to the extent of its device: table by table, each in order of
  /// start.
  template <class Use>
  void each_work(Use&& use) {
    each_table([&](const auto& events) {
      each_row(events, [&](std::size_t device, std::size_t, Interval i) {
        const Interval& extent = devices_[device].extent;
        i = {std::max(i.start, extent.start), std::min(i.end, extent.end)};
        if (i.start <= i.end) use(device, i);
      });
    });
  }

  /// Calls the same for the profiler's overhead within each extent, device by device. False if there is too much to
  /// list.
  template <class Use>
  bool each_overhead(Use&& use) const {
    if (report_.overheads == nullptr) return true;
    std::vector<Intervals> of_process(report_.processes->rows);
    const OverheadTable& overheads = *report_.overheads;
    for (std::size_t row = 0; row < overheads.rows; ++row) {
      if (!is_of_cuda(overheads, row)) continue;
      if (overheads.process[row] < of_process.size())
        of_process[overheads.process[row]].push_back({overheads.start[row], overheads.end[row]});
    }
    std::uint64_t visits = 0;
    for (std::size_t device = 0; device < devices_.size(); ++device) {
      const DeviceTime& d = devices_[device];
      if (d.process_row >= of_process.size()) continue;
      visits += of_process[d.process_row].size();
      if (visits > kMaxVisits) return false;
      for (const Interval& i : of_process[d.process_row]) {
        if (i.start < d.extent.end && i.end > d.extent.start)
          use(device, Interval{std::max(i.start, d.extent.start), std::min(i.end, d.extent.end)});
      }
    }
    return true;
  }

 private:
  /// Overhead of tracing other things, such as allocating thread-local memory, does not delay a GPU.
  bool is_of_cuda(const OverheadTable& overheads, std::size_t row) const {
    if (!overheads.name.present()) return true;
    const std::string_view name = report_.string(overheads.name[row]);
    return name.starts_with("CUDA") || name.starts_with("CUPTI");
  }

  template <class Use>
  void each_table(Use&& use) const {
    if (report_.kernels != nullptr) use(*report_.kernels);
    if (report_.copies != nullptr) use(*report_.copies);
    if (report_.sets != nullptr) use(*report_.sets);
    if (graphs_ && report_.graphs != nullptr) use(*report_.graphs);
  }

  /// The window's work counts as a whole; other work only as far as it is inside.
  template <class Events, class Use>
  void each_row(const Events& events, Use&& use) {
    std::size_t device = 0, last = events.rows;  // neighbours mostly ran on the same device
    for (std::size_t row = 0; row < events.rows; ++row) {
      if (events.membership[row] == Membership::kOutside) continue;
      Interval i{events.start[row], events.end[row]};
      if (report_.window->named == 1)
        i = {std::max(i.start, report_.window->start), std::min(i.end, report_.window->end)};
      if (last == events.rows || events.process[row] != events.process[last] ||
          events.device[row] != events.device[last])
        device = device_of(events.process[row], events.device[row]);
      last = row;
      use(device, row, i);
    }
  }

  template <class Events>
  void add_events(const Events& events) {
    each_row(events, [&](std::size_t device, std::size_t row, Interval i) {
      DeviceTime& d = devices_[device];
      if (inside(events, row)) d.extent = {std::min(d.extent.start, i.start), std::max(d.extent.end, i.end)};
      if constexpr (requires { events.context; }) {
        if (events.context.present() && events.end[row] > d.last_end) d.context = events.context[row];
      }
      d.last_end = std::max(d.last_end, events.end[row]);
    });
  }

  std::size_t device_of(std::uint32_t process, std::int32_t device) {
    const std::uint32_t number = ids_.id_of({process, static_cast<std::uint32_t>(device)});
    if (number == devices_.size()) {
      DeviceTime& d = devices_.emplace_back();
      d.process = id_of(*report_.processes, process);
      d.process_row = process;
      d.device = device;
    }
    return number;
  }

  const Report& report_;
  bool graphs_;
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
    durations.push_back(row.duration);
    starts.push_back(row.start);
    processes.push_back(row.of->process);
    devices.push_back(row.of->device);
    contexts.push_back(row.of->context);
  }
  table.add("Row#", "", std::move(numbers));
  if (with_use) table.add("In-Use", "%", std::move(uses));
  table.add("Duration", "ns", std::move(durations));
  table.add("Start", "ns", std::move(starts));
  table.add("PID", "", std::move(processes));
  table.add("Device ID", "", std::move(devices));
  table.add("Context ID", "", std::move(contexts));
}

/// How much of each of equal parts of an extent is covered by work; concurrent work adds up. Linear in work and parts.
class Parts {
 public:
  Parts(const Interval& extent, std::int64_t count) : extent_(extent) {
    const std::int64_t range = extent.end - extent.start;
    if (range <= 0) return;
    length_ = range / count + (range % count == 0 ? 0 : 1);
    filled_.resize(static_cast<std::size_t>(count));
    covers_.resize(static_cast<std::size_t>(count));
  }

  void add(const Interval& work) {
    if (work.end <= work.start) return;
    const std::size_t first = at(work.start), last = at(work.end - 1);
    if (first == last) {
      filled_[first].add(work.end - work.start);
      return;
    }
    filled_[first].add(start_of(first + 1) - work.start);
    filled_[last].add(work.end - start_of(last));
    ++covers_[first + 1];
    --covers_[last];
  }

  /// Empty if the extent is.
  [[nodiscard]] std::vector<DeviceUse::Part> all() const {
    std::vector<DeviceUse::Part> parts;
    std::int64_t covering = 0;
    for (std::int64_t left = length_ == 0 ? 0 : extent_.end - extent_.start; left > 0;
         left -= std::min(left, length_)) {
      const std::size_t part = parts.size();
      const std::int64_t duration = std::min(left, length_);
      covering += covers_[part];
      const double busy = filled_[part].real() + static_cast<double>(covering) * static_cast<double>(duration);
      parts.push_back({start_of(part), duration, busy});
    }
    return parts;
  }

 private:
  [[nodiscard]] std::size_t at(std::int64_t time) const {
    return static_cast<std::size_t>((time - extent_.start) / length_);
  }
  [[nodiscard]] std::int64_t start_of(std::size_t part) const {
    return extent_.start + static_cast<std::int64_t>(part) * length_;
  }

  Interval extent_;
  std::int64_t length_ = 0;
  std::vector<WideSum> filled_;
  std::vector<std::int64_t> covers_;  ///< change in the number of intervals that cover the part completely
};

/// By device.
std::vector<std::vector<DeviceUse::Part>> parts_of(Devices& devices, std::int64_t count) {
  std::vector<Parts> parts;
  for (const DeviceTime& d : devices.all()) parts.emplace_back(d.extent, count);
  devices.each_work([&](std::size_t device, const Interval& work) { parts[device].add(work); });
  std::vector<std::vector<DeviceUse::Part>> all;
  for (const Parts& of_device : parts) all.push_back(of_device.all());
  return all;
}

/// Work of one device, merged across gaps of up to `gap`. Memory is proportional to the remaining gaps if intervals
/// arrive in order of start, or in a few such sequences.
class MergedWork {
 public:
  explicit MergedWork(std::int64_t gap) : gap_(gap) {}
  void add(const Interval& work) {
    const bool joins = !stays_.empty() && work.start >= stays_.back().start && work.start - stays_.back().end <= gap_;
    if (joins)
      stays_.back().end = std::max(stays_.back().end, work.end);
    else
      stays_.push_back(work);
  }
  const Intervals& in_order() {
    std::ranges::sort(stays_, [](const Interval& a, const Interval& b) { return a.start < b.start; });
    return stays_;
  }

 private:
  std::int64_t gap_;
  Intervals stays_;
};

/// Parts used less than the limit, merged with their neighbours by a length-weighted mean.
void append_low(std::vector<Stretch>& rows, const DeviceTime& d, const std::vector<DeviceUse::Part>& parts,
                const UseRule& rule) {
  bool joins = false;
  for (const DeviceUse::Part& part : parts) {
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
  Devices devices(report, mode == Mode::kCorrected);
  std::vector<std::vector<DeviceUse::Part>> all = parts_of(devices, parts);
  std::vector<DeviceUse> used;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const DeviceTime& d = devices.all()[n];
    if (!all[n].empty()) used.push_back({d.process, d.device, std::move(all[n])});
  }
  return used;
}

ReportTable gaps(const Report& report, const Task& task, const GapRule& rule) {
  if (no_work(report, task.corrected())) return lacking(kNoWork);
  Devices devices(report, task.corrected());
  std::vector<MergedWork> stays(devices.all().size(), MergedWork(rule.longer_than));
  const auto add = [&](std::size_t device, const Interval& work) { stays[device].add(work); };
  devices.each_work(add);
  if (!devices.each_overhead(add)) return lacking(kTooMuch);
  std::vector<Stretch> rows;
  for (std::size_t device = 0; device < stays.size(); ++device) {
    const Intervals& all = stays[device].in_order();
    std::int64_t reach = all.empty() ? 0 : all.front().start;
    for (const Interval& i : all) {
      if (i.start - reach > rule.longer_than) rows.push_back({0, i.start - reach, reach, &devices.all()[device]});
      reach = std::max(reach, i.end);
    }
  }
  std::ranges::stable_sort(rows, [](const Stretch& a, const Stretch& b) { return a.duration > b.duration; });
  rows.resize(std::min(rows.size(), rule.rows));
  ReportTable made{table_of(task), {}, use_remarks(report, task.mode)};
  add_stretches(*made.table, rows, false);
  return made;
}

ReportTable low_use(const Report& report, const Task& task, const UseRule& rule) {
  if (no_work(report, task.corrected())) return lacking(kNoWork);
  Devices devices(report, task.corrected());
  const std::vector<std::vector<DeviceUse::Part>> parts = parts_of(devices, rule.chunks);
  std::vector<Stretch> rows;
  for (std::size_t device = 0; device < parts.size(); ++device)
    append_low(rows, devices.all()[device], parts[device], rule);
  std::ranges::stable_sort(rows, [](const Stretch& a, const Stretch& b) {
    return a.use != b.use ? a.use < b.use : a.duration < b.duration;
  });
  ReportTable made{table_of(task), {}, use_remarks(report, task.mode)};
  add_stretches(*made.table, rows, true);
  return made;
}

}  // namespace assay::nsys
