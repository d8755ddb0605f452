// Why a device was idle at each instant of a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/account/innermost_rows.hpp"
#include "algo/functions/functions.hpp"
#include "assay/algo/steps.hpp"
#include "assay/report.hpp"

namespace assay::account {

/// A piece of device work.
struct DeviceWork {
  std::int64_t start = 0, end = 0;  ///< ns, on the host's clock
  AccountKind kind = AccountKind::kKernel;
  std::uint32_t row = 0;         ///< of its table
  Row call = kNone;              ///< that launched it
  std::int64_t stream_free = 0;  ///< ns, end of the work before it on its stream
};

/// Idle time with one cause.
struct Idle {
  IdleCause cause = IdleCause::kUnknown;
  Interval time;
  std::int64_t since = 0;  ///< ns, end of the work before it on the device
  Row launch = kNone;      ///< of the work that ends it
  Row blocked = kNone;     ///< the call that the host was in
  Row range = kNone;       ///< of host code: the innermost range around it
  Row stated = kNone;      ///< row of causes
  Row function = kNone;    ///< of host code: the program's function, a row of ops
  Row stack = kNone;       ///< the innermost function of the program, which `function` may call as its helper
};

/// Innermost ranges of the program: not those that nsys writes around Python's interpreter lock.
InnermostRows innermost_ranges(const Report& report);

/// Splits idle time of the steps of one process.
class IdleCauses {
 public:
  /// `steps`: of one process, by time. Borrows both.
  IdleCauses(const Report& report, std::span<const step::Step> steps, std::uint32_t process);

  /// Adds the parts of an idle time by cause, which add up to it. `next`: the work that ends it; null: none follows.
  /// `least_lag`: of the device, from the start of a launch to that of its work.
  void add(Interval time, const DeviceWork* next, std::int64_t least_lag, std::vector<Idle>& parts) const;

 private:
  void add_before_launch(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const;
  void add_calls(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const;
  void add_host_code(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const;
  void add_functions(Interval time, std::uint32_t thread, Row launch, Row range, std::vector<Idle>& parts) const;
  void add_outside(Interval time, Idle part, std::vector<Idle>& parts) const;

  const Report& report_;
  std::span<const step::Step> steps_;
  InnermostRows ranges_, stated_;
  functions::Functions functions_;
  std::vector<std::vector<Row>> outer_calls_;  ///< by thread: calls that are in no other
  Intervals profiler_;                         ///< its own work in the process
  std::uint32_t thread_ = 0;                   ///< of the steps
};

}  // namespace assay::account
