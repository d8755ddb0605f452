#include "assay/algo/step_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "add_by_start.hpp"
#include "assay/algo/named_ranges.hpp"

namespace assay {

DeviceWork::DeviceWork(const Report& report)
    : communicates_(report.kernels == nullptr ? 0 : static_cast<std::size_t>(report.kernels->rows), 0) {
  if (report.collectives != nullptr) {
    for (const Row kernel : report.collectives->kernel.view()) communicates_[static_cast<std::size_t>(kernel)] = 1;
  }
  compute_.reserve(communicates_.size());
  for (std::size_t k = 0; k < communicates_.size(); ++k)
    detail::add_by_start(communicates_[k] != 0 ? communication_ : compute_,
                         {report.kernels->start[k], report.kernels->end[k]});
  Intervals copies;
  add(report.copies, copies);
  add(report.sets, copies);
  copies_ = merge(copies);
}

Interval DeviceWork::extent() const {
  Interval out{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const Intervals* all : {&compute_, &communication_, &copies_}) {
    if (all->empty()) continue;
    out.start = std::min(out.start, all->front().start);
    out.end = std::max(out.end, all->back().end);
  }
  return out.end > out.start ? out : Interval{};
}

namespace {

/// Walks along a union in normal form.
class Cursor {
 public:
  Cursor(const Intervals& all, std::int64_t from)
      : at_(std::partition_point(all.begin(), all.end(), [&](const Interval& i) { return i.end <= from; })),
        end_(all.end()) {}
  [[nodiscard]] bool inside(std::int64_t time) const { return at_ != end_ && at_->start <= time; }
  /// The next time after `time` at which `inside` changes.
  [[nodiscard]] std::int64_t edge(std::int64_t time) const {
    if (at_ == end_) return std::numeric_limits<std::int64_t>::max();
    return at_->start <= time ? at_->end : at_->start;
  }
  void go_to(std::int64_t time) {
    if (at_ != end_ && at_->end <= time) ++at_;
  }

 private:
  Intervals::const_iterator at_, end_;
};

}  // namespace

StepParts DeviceWork::parts(Interval window) const {
  constexpr std::size_t kCompute = 1, kComm = 2, kCopy = 4;
  Cursor compute(compute_, window.start), comm(communication_, window.start), copy(copies_, window.start);
  std::array<std::int64_t, 8> spent{};  // ns by what ran
  for (std::int64_t time = window.start; time < window.end;) {
    const std::size_t ran =
        (compute.inside(time) ? kCompute : 0) | (comm.inside(time) ? kComm : 0) | (copy.inside(time) ? kCopy : 0);
    const std::int64_t next = std::min({compute.edge(time), comm.edge(time), copy.edge(time), window.end});
    spent[ran] += next - time;
    time = next;
    compute.go_to(time);
    comm.go_to(time);
    copy.go_to(time);
  }
  StepParts out;
  out.window = window.end - window.start;
  out.compute_only = spent[kCompute] + spent[kCompute | kCopy];
  out.overlap = spent[kCompute | kComm] + spent[kCompute | kComm | kCopy];
  out.exposed_copy = spent[kComm | kCopy];
  out.exposed = spent[kComm] + out.exposed_copy;
  out.copy_only = spent[kCopy];
  out.idle = spent[0];
  out.compute_busy = out.compute_only + out.overlap;
  out.comm_busy = out.exposed + out.overlap;
  return out;
}

Intervals DeviceWork::within(const Intervals& all, Interval window) {
  const auto first =
      std::partition_point(all.begin(), all.end(), [&](const Interval& i) { return i.end <= window.start; });
  const auto last = std::partition_point(first, all.end(), [&](const Interval& i) { return i.start < window.end; });
  return clip(std::span<const Interval>(first, last), window);
}

namespace detail {

namespace {

// The number at the "{i}" of a folded name in the name; -1: it has none.
std::int64_t number_in_name(std::string_view pattern, std::string_view name) {
  const std::size_t at = pattern.find("{i}");
  if (at == std::string_view::npos) return -1;
  std::int64_t number = -1;
  std::from_chars(name.data() + at, name.data() + name.size(), number);
  return number;
}

std::vector<DeviceStep> steps_without_work(const Report& report) {
  std::vector<DeviceStep> steps;
  std::map<StringId, std::int64_t> numbers;
  const StepTable* const table = report.steps;
  for (std::size_t s = 0; table != nullptr && s < table->rows; ++s) {
    if (table->whole[s] == 0) continue;
    DeviceStep& step = steps.emplace_back();
    const auto [number, fresh] = numbers.try_emplace(table->name[s], -1);
    const std::string_view name = report.string(table->name[s]);
    if (fresh) number->second = number_in_name(folded_name(name), name);
    step.number = number->second;
    step.host = {table->host_start[s], table->host_end[s]};
  }
  return steps;
}

// Numbers steps by position, unless the numbers in their names rise strictly. Numbers of tokens or requests are not
// step numbers.
void number_steps(std::vector<DeviceStep>& steps) {
  const auto falls = [](const DeviceStep& a, const DeviceStep& b) { return b.number <= a.number; };
  const bool counted = std::all_of(steps.begin(), steps.end(), [](const DeviceStep& s) { return s.number >= 0; });
  if (counted && std::adjacent_find(steps.begin(), steps.end(), falls) == steps.end()) return;
  std::int64_t place = 0;
  for (DeviceStep& step : steps) step.number = place++;
}

// Row of the step in which a call starts; steps are disjoint and sorted.
std::ptrdiff_t step_at(const std::vector<DeviceStep>& steps, std::int64_t time) {
  const auto after =
      std::partition_point(steps.begin(), steps.end(), [&](const DeviceStep& s) { return s.host.start <= time; });
  if (after == steps.begin() || (after - 1)->host.end < time) return -1;
  return after - 1 - steps.begin();
}

}  // namespace

}  // namespace detail

std::vector<DeviceStep> device_steps(const Report& report, const DeviceWork& work) {
  std::vector<DeviceStep> steps = detail::steps_without_work(report);
  std::sort(steps.begin(), steps.end(), [](const DeviceStep& a, const DeviceStep& b) {
    return std::tuple(a.host.start, -a.host.end, a.number) < std::tuple(b.host.start, -b.host.end, b.number);
  });
  std::int64_t reach = std::numeric_limits<std::int64_t>::min();
  std::erase_if(steps, [&](const DeviceStep& s) {
    const bool overlaps = s.host.start < reach;
    if (!overlaps) reach = s.host.end;
    return overlaps;
  });
  const auto assign = [&](const auto* table, auto&& use) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Row call = table->call.present() && report.calls != nullptr ? table->call[r] : kNone;
      const std::int64_t launched =
          call == kNone ? table->start[r] : report.calls->start[static_cast<std::size_t>(call)];
      const std::ptrdiff_t at = detail::step_at(steps, launched);
      if (at < 0) continue;
      DeviceStep& step = steps[static_cast<std::size_t>(at)];
      step.window.start = step.worked ? std::min(step.window.start, table->start[r]) : table->start[r];
      step.window.end = step.worked ? std::max(step.window.end, table->end[r]) : table->end[r];
      step.worked = true;
      use(step, r);
    }
  };
  assign(report.kernels, [&](DeviceStep& step, std::size_t k) {
    step.kernels.push_back(static_cast<Row>(k));
    if (work.communicates(k)) return;
    ++step.compute_kernels;
    step.compute_time_sum += report.kernels->end[k] - report.kernels->start[k];
  });
  assign(report.copies, [](DeviceStep&, std::size_t) {});
  assign(report.sets, [](DeviceStep&, std::size_t) {});
  detail::number_steps(steps);
  return steps;
}

}  // namespace assay
