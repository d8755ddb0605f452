#include "account.hpp"

#include <numeric>
#include <stdexcept>

namespace assay::difference {
namespace {

__extension__ typedef __int128 Wide;  // products of times and counts

std::int64_t floor_divided(Wide value, Wide by) {
  const Wide quotient = value / by;
  return static_cast<std::int64_t>(value % by < 0 ? quotient - 1 : quotient);
}

StepAmount amount_of(std::int64_t before, std::int64_t after, std::int64_t steps_before, std::int64_t steps_after) {
  const Wide nb = steps_before, na = steps_after;
  return {floor_divided(before, nb), floor_divided(after, na),
          floor_divided(Wide{after} * nb - Wide{before} * na, nb * na)};
}

}  // namespace

DifferenceTerm idle_account(std::string_view cause) {
  return cause == "host" || cause == "between"    ? DifferenceTerm::kIdleHost
         : cause == "launch" || cause == "calls"  ? DifferenceTerm::kIdleLaunch
         : cause == "api"                         ? DifferenceTerm::kIdleCalls
         : cause == "sync"                        ? DifferenceTerm::kIdleSync
         : cause == "queued" || cause == "stream" ? DifferenceTerm::kIdleQueued
                                                  : DifferenceTerm::kIdleOther;
}

DifferenceBreakdown accounts_of(const Side& before, const Side& after, const Alignment& alignment) {
  DifferenceBreakdown out;
  const std::int64_t nb = before.steps, na = after.steps;
  out.step = amount_of(before.time, after.time, nb, na);
  std::int64_t sum = 0;
  const auto line = [&](DifferenceTerm account) -> std::int64_t& {
    return out.lines[static_cast<std::size_t>(account)];
  };
  std::int64_t walls[2] = {0, 0};
  for (const AlignedItem& row : alignment.rows) {
    const Item* b = row.before == kNoItem ? nullptr : &before.items[row.before];
    const Item* a = row.after == kNoItem ? nullptr : &after.items[row.after];
    const ItemKey& key = (b != nullptr ? b : a)->key;
    const std::int64_t wall_b = b != nullptr ? b->sums.wall : 0, wall_a = a != nullptr ? a->sums.wall : 0;
    walls[0] += wall_b;
    walls[1] += wall_a;
    const StepAmount amount = amount_of(wall_b, wall_a, nb, na);
    out.rows.push_back(amount);
    sum += amount.difference;
    if (key.kind == ItemKind::kIdle) {
      line(idle_account(key.op)) += amount.difference;
    } else if (key.kind == ItemKind::kCommunication) {
      line(DifferenceTerm::kCommunication) += amount.difference;
    } else if (key.kind == ItemKind::kCopy || key.kind == ItemKind::kSet) {
      line(DifferenceTerm::kCopies) += amount.difference;
    } else if (b == nullptr || a == nullptr) {
      line(b == nullptr ? DifferenceTerm::kNewKernels : DifferenceTerm::kGoneKernels) += amount.difference;
    } else {
      const Wide cb = b->sums.count, ca = a->sums.count;
      const std::int64_t by_count = cb == 0 ? 0 : floor_divided(Wide{wall_b} * (ca * nb - cb * na), cb * nb * na);
      line(DifferenceTerm::kLaunchCount) += by_count;
      line(DifferenceTerm::kTimePerCall) += amount.difference - by_count;
    }
  }
  out.rounding = out.step.difference - sum;
  const std::int64_t lines = std::accumulate(std::begin(out.lines), std::end(out.lines), std::int64_t{0});
  const auto rows = static_cast<std::int64_t>(out.rows.size());
  if (walls[0] != before.time || walls[1] != after.time || lines + out.rounding != out.step.difference ||
      out.rounding < 0 || out.rounding > rows)
    throw std::logic_error("the accounts of the difference do not add up");
  return out;
}

}  // namespace assay::difference
