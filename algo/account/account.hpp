// Where the time of each step went: every instant of a step on a device is one piece of work, or idle for one cause.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "algo/account/device_time.hpp"
#include "algo/account/idle_causes.hpp"
#include "assay/algo/steps.hpp"
#include "assay/report.hpp"

namespace assay::account {

/// Device work of one device in one process, by start.
struct DeviceAccount {
  std::uint32_t process = 0;  ///< row of processes
  std::int32_t device = kNone;
  std::vector<DeviceWork> compute = {};  ///< kernels that do not communicate, and graphs
  std::vector<DeviceWork> communication = {}, copies = {}, sets = {};
  std::vector<DeviceWork> persistent = {};  ///< of `compute`: what lasts longer than a whole step that it contains
  std::int64_t least_lag = 0;               ///< ns, from the start of a launch to that of its work
};

/// The account of steps: of each device whose process has steps. Borrows both.
class Account {
 public:
  static constexpr std::size_t kEvery = std::numeric_limits<std::size_t>::max();

  Account(const Report& report, const std::vector<step::Step>& steps);

  [[nodiscard]] const std::vector<DeviceAccount>& devices() const { return devices_; }
  /// ns that the device's clock is behind the host's, by row of processes; taken off all times here.
  [[nodiscard]] const std::vector<std::int64_t>& late() const { return late_; }
  /// Number of devices that a step's time is accounted for on.
  [[nodiscard]] std::int64_t devices_of(const step::Step& step) const {
    return std::ranges::count_if(devices_, [&](const DeviceAccount& device) {
      return step.process == step::kAnyProcess || step.process == device.process;
    });
  }

  /// For each step of `steps`, or `only` the one of that number, and device of its process calls `use_work(step,
  /// device, work, ns)` and `use_idle(step, device, idle)`; their times add up to the step's to the ns. Steps by number
  /// in `steps`, devices in `devices()`.
  template <class UseWork, class UseIdle>
  void each(const UseWork& use_work, const UseIdle& use_idle, std::size_t only = kEvery) const {
    std::vector<Idle> parts;
    for (std::size_t d = 0; d < devices_.size(); ++d) {
      const DeviceAccount& device = devices_[d];
      const auto own = steps_of(device);
      if (own == of_process_.end()) continue;
      const ProcessSteps& process = own->second;
      std::span<const Interval> times = process.times;
      std::span<const std::size_t> numbers = process.numbers;
      if (only != kEvery) {
        const auto at = static_cast<std::size_t>(std::ranges::find(numbers, only) - numbers.begin());
        if (at == numbers.size()) continue;
        times = times.subspan(at, 1);
        numbers = numbers.subspan(at, 1);
      }
      DeviceTime time({times.begin(), times.end()});
      for (const std::vector<DeviceWork>* work : classes_of(device))
        time.add(std::span<const DeviceWork>(*work),
                 [&](std::size_t step, std::size_t w, std::int64_t ns) { use_work(numbers[step], d, (*work)[w], ns); });
      const IdleCauses& causes = causes_.at(own->first);
      Following following(device);
      time.each_idle([&](std::size_t step, Interval idle, Interval gap) {
        const DeviceWork* const next = gap.end == DeviceTime::kNever ? nullptr : following.at(gap.end);
        parts.clear();
        causes.add(idle, next, device.least_lag, parts);
        for (Idle& part : parts) {
          part.since = gap.start;
          use_idle(numbers[step], d, part);
        }
      });
    }
  }

 private:
  /// In order of precedence.
  using Classes = std::array<const std::vector<DeviceWork>*, 5>;
  static Classes classes_of(const DeviceAccount& device) {
    return {&device.compute, &device.communication, &device.copies, &device.sets, &device.persistent};
  }

  struct ProcessSteps {
    std::vector<step::Step> steps;
    std::vector<Interval> times;
    std::vector<std::size_t> numbers;
  };
  using OfProcess = std::map<std::uint32_t, ProcessSteps>;
  /// Those that a device's time is accounted for in: of its process, or of the only one that has any.
  [[nodiscard]] OfProcess::const_iterator steps_of(const DeviceAccount& device) const {
    const auto only = of_process_.find(step::kAnyProcess);
    return only != of_process_.end() ? only : of_process_.find(device.process);
  }

  /// Finds the work that begins at a time; the times only advance.
  class Following {
   public:
    explicit Following(const DeviceAccount& device) : work_(classes_of(device)) {}
    const DeviceWork* at(std::int64_t start) {
      for (std::size_t w = 0; w < work_.size(); ++w) {
        const std::vector<DeviceWork>& own = *work_[w];
        while (next_[w] < own.size() && own[next_[w]].start < start) ++next_[w];
        if (next_[w] < own.size() && own[next_[w]].start == start) return &own[next_[w]];
      }
      return nullptr;
    }

   private:
    Classes work_;
    std::array<std::size_t, std::tuple_size_v<Classes>> next_{};
  };

  void add_work();
  void add_stream_ends();
  void part_persistent();

  const Report& report_;
  std::vector<std::int64_t> late_;
  OfProcess of_process_;                        ///< by Step::process
  std::map<std::uint32_t, IdleCauses> causes_;  ///< likewise
  std::vector<DeviceAccount> devices_;
};

}  // namespace assay::account
