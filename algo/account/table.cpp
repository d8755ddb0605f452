#include "algo/account/table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "algo/account/account.hpp"
#include "assay/detail/column_of.hpp"

namespace assay::account {
namespace {

/// What rows have in common.
struct RowKey {
  Row step = kNone;
  std::size_t device = 0;
  AccountKind kind = AccountKind::kKernel;
  IdleCause cause = IdleCause::kNotIdle;
  StringId name = 0;
  CopyDirection direction = CopyDirection::kUnknown;
  Row range = kNone;
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

template <class T, class Rows>
T cell(const Column<T>& column, Rows row, T absent) {
  return row >= 0 && column.present() ? column[row] : absent;
}

}  // namespace

AccountTable AccountRows::table() const {
  AccountTable out;
  out.rows = step.size();
  out.step = detail::column_of(step);
  out.process = detail::column_of(process);
  out.device = detail::column_of(device);
  out.kind = detail::column_of(kind);
  out.cause = detail::column_of(cause);
  out.name = detail::column_of(name);
  out.direction = detail::column_of(direction);
  out.range = detail::column_of(range);
  out.time = detail::column_of(time);
  out.count = detail::column_of(count);
  return out;
}

AccountRows account_rows(const Report& report) {
  AccountRows out;
  if (report.steps == nullptr || report.steps->rows == 0) return out;
  const step::Steps steps = step::steps_of(report, step::DisturbedSteps::kKeep);
  if (!steps.found()) return out;
  const Account account(report, steps.kept);
  std::map<RowKey, std::pair<std::int64_t, std::int64_t>> rows;  // ns, count
  const auto add = [&](const RowKey& key, std::int64_t ns) {
    auto& [time, count] = rows[key];
    time += ns;
    ++count;
  };
  const auto range_of = [&](Row call) {
    return call >= 0 && report.calls != nullptr ? cell(report.calls->range, call, Row{kNone}) : Row{kNone};
  };
  account.each(
      [&](std::size_t step, std::size_t device, const DeviceWork& work, std::int64_t ns) {
        RowKey key{.step = steps.kept[step].row, .device = device, .kind = work.kind, .range = range_of(work.call)};
        if (work.kind == AccountKind::kKernel || work.kind == AccountKind::kCommunication)
          key.name = cell(report.kernels->name, static_cast<std::int64_t>(work.row), StringId{0});
        if (work.kind == AccountKind::kCopy)
          key.direction = cell(report.copies->direction, static_cast<std::int64_t>(work.row), CopyDirection::kUnknown);
        add(key, ns);
      },
      [&](std::size_t step, std::size_t device, const Idle& idle) {
        RowKey key{.step = steps.kept[step].row, .device = device, .kind = AccountKind::kIdle, .cause = idle.cause};
        key.range = idle.cause == IdleCause::kHost ? idle.range : range_of(idle.launch);
        if (idle.blocked >= 0) key.name = cell(report.calls->name, idle.blocked, StringId{0});
        if (idle.stated >= 0) key.name = report.causes->name[idle.stated];
        if (idle.function >= 0) key.name = report.ops->name[idle.function];
        add(key, idle.time.end - idle.time.start);
      });
  std::vector<std::pair<RowKey, std::pair<std::int64_t, std::int64_t>>> sorted(rows.begin(), rows.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) {
    return std::tuple(a.first.step, a.first.device, -a.second.first) <
           std::tuple(b.first.step, b.first.device, -b.second.first);
  });
  for (const auto& [key, sums] : sorted) {
    const DeviceAccount& device = account.devices()[key.device];
    out.step.push_back(key.step);
    out.process.push_back(device.process);
    out.device.push_back(device.device);
    out.kind.push_back(key.kind);
    out.cause.push_back(key.cause);
    out.name.push_back(key.name);
    out.direction.push_back(key.direction);
    out.range.push_back(key.range);
    out.time.push_back(sums.first);
    out.count.push_back(sums.second);
  }
  return out;
}

}  // namespace assay::account
