#include "algo/account/account.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "algo/communicating.hpp"
#include "assay/detail/device_clock.hpp"

namespace assay::account {

Account::Account(const Report& report, const std::vector<step::Step>& steps)
    : report_(report), late_(detail::device_lateness(report)) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    ProcessSteps& own = of_process_[steps[s].process];
    own.steps.push_back(steps[s]);
    own.times.push_back(steps[s].time);
    own.numbers.push_back(s);
  }
  add_work();
  for (const auto& [process, own] : of_process_) {  // without any device work all of it is idle
    if (devices_of(own.steps.front()) == 0) devices_.push_back({.process = process == step::kAnyProcess ? 0 : process});
  }
  add_stream_ends();
  part_persistent();
  for (const auto& [process, own] : of_process_) causes_.try_emplace(process, report, own.steps, process);
}

void Account::part_persistent() {
  for (DeviceAccount& device : devices_) {
    const auto own = steps_of(device);
    if (own == of_process_.end()) continue;
    const std::vector<Interval>& steps = own->second.times;
    const auto spans_a_step = [&](const DeviceWork& work) {
      const auto step = std::ranges::lower_bound(steps, work.start, {}, &Interval::start);
      return step != steps.end() && step->end <= work.end && work.end - work.start > step->end - step->start;
    };
    const auto rest = std::ranges::stable_partition(device.compute, std::not_fn(spans_a_step));
    device.persistent.assign(rest.begin(), rest.end());
    device.compute.erase(rest.begin(), rest.end());
  }
}

void Account::add_work() {
  std::map<std::pair<std::uint32_t, std::int32_t>, std::size_t> numbers;
  std::pair<std::uint32_t, std::int32_t> last{0, kNone};
  std::size_t at = 0;
  const auto device_of = [&](std::uint32_t process, std::int32_t device) {
    if (devices_.empty() || last != std::pair(process, device)) {
      last = {process, device};
      const auto [found, fresh] = numbers.try_emplace(last, devices_.size());
      if (fresh) {
        devices_.push_back({.process = process, .device = device});
        devices_.back().least_lag = DeviceTime::kNever;
      }
      at = found->second;
    }
    return at;
  };
  using Place = std::vector<DeviceWork> DeviceAccount::*;
  constexpr std::array<Place, 4> kPlaces = {&DeviceAccount::compute, &DeviceAccount::communication,
                                            &DeviceAccount::copies, &DeviceAccount::sets};
  const std::vector<std::uint8_t> communicates = communicating_kernels(report_);
  const auto each_of = [&](const auto* table, const auto& kind_of, std::size_t place, const auto& use) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      if (table->membership[r] == Membership::kOutside) continue;
      const AccountKind kind = kind_of(r);
      use(*table, r, kind, device_of(table->process[r], table->device[r]),
          kind == AccountKind::kCommunication ? 1 : place);
    }
  };
  const auto each = [&](const auto& use) {
    const auto kind_of_kernel = [&](std::size_t r) {
      return communicates[r] != 0 ? AccountKind::kCommunication : AccountKind::kKernel;
    };
    each_of(report_.kernels, kind_of_kernel, 0, use);
    each_of(report_.graphs, [](std::size_t) { return AccountKind::kGraph; }, 0, use);
    each_of(report_.copies, [](std::size_t) { return AccountKind::kCopy; }, 2, use);
    each_of(report_.sets, [](std::size_t) { return AccountKind::kSet; }, 3, use);
  };
  // Counted first: vectors of millions that grow take twice their memory.
  std::vector<std::array<std::size_t, kPlaces.size()>> counts;
  each([&](const auto&, std::size_t, AccountKind, std::size_t device, std::size_t place) {
    counts.resize(devices_.size());
    ++counts[device][place];
  });
  for (std::size_t d = 0; d < counts.size(); ++d) {
    for (std::size_t p = 0; p < kPlaces.size(); ++p) (devices_[d].*kPlaces.at(p)).reserve(counts[d][p]);
  }
  each([&](const auto& table, std::size_t r, AccountKind kind, std::size_t d, std::size_t place) {
    DeviceAccount& device = devices_[d];
    const std::int64_t late = late_[table.process[r]];
    const Row call = table.call.present() && report_.calls != nullptr ? table.call[r] : kNone;
    const std::int64_t start = table.start[r] - late;
    (device.*kPlaces.at(place)).push_back({start, table.end[r] - late, kind, static_cast<std::uint32_t>(r), call, 0});
    if (call >= 0) device.least_lag = std::min(device.least_lag, start - report_.calls->start[call]);
  });
  for (DeviceAccount& device : devices_) {
    if (!std::ranges::is_sorted(device.compute, {}, &DeviceWork::start))
      std::ranges::stable_sort(device.compute, {}, &DeviceWork::start);
    if (device.least_lag == DeviceTime::kNever) device.least_lag = 0;
  }
}

/// When the stream of each piece of work had last been free before it.
void Account::add_stream_ends() {
  const auto stream_of = [&](const DeviceWork& work) {
    switch (work.kind) {
      case AccountKind::kGraph:
        return report_.graphs->stream[work.row];
      case AccountKind::kCopy:
        return report_.copies->stream[work.row];
      case AccountKind::kSet:
        return report_.sets->stream[work.row];
      default:
        return report_.kernels->stream[work.row];
    }
  };
  for (DeviceAccount& device : devices_) {
    std::array<std::vector<DeviceWork>*, 4> all{&device.compute, &device.communication, &device.copies, &device.sets};
    std::array<std::size_t, 4> next{};
    std::unordered_map<std::int32_t, std::int64_t> ends;
    while (true) {
      std::size_t first = all.size();
      for (std::size_t w = 0; w < all.size(); ++w) {
        if (next[w] == all[w]->size()) continue;
        if (first == all.size() || (*all[w])[next[w]].start < (*all[first])[next[first]].start) first = w;
      }
      if (first == all.size()) break;
      DeviceWork& work = (*all[first])[next[first]++];
      std::int64_t& end = ends.try_emplace(stream_of(work), -DeviceTime::kNever).first->second;
      work.stream_free = end == -DeviceTime::kNever ? work.start - DeviceTime::kNever / 2 : end;
      end = std::max(end, work.end);
    }
  }
}

}  // namespace assay::account
