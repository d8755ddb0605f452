#include "repeats.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "rows.hpp"

namespace assay::nsys {
namespace {

/// The cells of two columns in a new order; not present unless both are.
template <class T>
Column<T> merged(std::vector<T>& to, const Column<T>& a, const Column<T>& b, const std::vector<std::uint32_t>& order) {
  if (!a.present() || !b.present()) return {};
  to.reserve(order.size());
  for (const std::uint32_t row : order) to.push_back(row < a.size ? a[row] : b[row - a.size]);
  return {to.data(), to.size()};
}

}  // namespace

WithRepeats::WithRepeats(const Report& report) : report_(report) {
  merge_calls(*report.calls, *report.repeats);
  find_twins(report);
  relink(report.kernels, kernels_, report_.kernels, kernel_call_);
  relink(report.copies, copies_, report_.copies, copy_call_);
  relink(report.sets, sets_, report_.sets, set_call_);
  report_.calls = &calls_;
}

void WithRepeats::merge_calls(const CallTable& calls, const CallTable& repeats) {
  std::vector<std::uint32_t> order(calls.rows + repeats.rows);
  std::iota(order.begin(), order.end(), 0U);
  const auto time = [&](std::uint32_t row) {
    return row < calls.rows ? std::pair(calls.start[row], calls.end[row])
                            : std::pair(repeats.start[row - calls.rows], repeats.end[row - calls.rows]);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return time(a) < time(b); });
  new_row_.assign(calls.rows, kNone);
  for (std::size_t row = 0; row < order.size(); ++row) {
    if (order[row] < calls.rows) new_row_[order[row]] = static_cast<Row>(row);
    kind_.push_back(order[row] < calls.rows ? calls.kind[order[row]] : CallKind::kOther);
    if (calls.range.present()) range_.push_back(order[row] < calls.rows ? calls.range[order[row]] : kNone);
  }
  calls_.rows = order.size();
  calls_.start = merged(start_, calls.start, repeats.start, order);
  calls_.end = merged(end_, calls.end, repeats.end, order);
  calls_.thread = merged(thread_, calls.thread, repeats.thread, order);
  calls_.in_window = merged(in_window_, calls.in_window, repeats.in_window, order);
  calls_.full_name = merged(full_name_, calls.full_name, repeats.full_name, order);
  calls_.correlation = merged(correlation_, calls.correlation, repeats.correlation, order);
  calls_.return_value = merged(return_value_, calls.return_value, repeats.return_value, order);
  calls_.kind = {kind_.data(), kind_.size()};
  if (calls.range.present()) calls_.range = {range_.data(), range_.size()};
}

void WithRepeats::find_twins(const Report& report) {
  const std::size_t rows = calls_.rows;
  twin_.assign(rows, kNone);
  first_.resize(rows);
  std::iota(first_.begin(), first_.end(), 0);
  if (calls_.correlation.present()) {
    const auto key = [&](Row row) {
      return std::tuple(report.threads->process[calls_.thread[at(row)]], calls_.correlation[at(row)]);
    };
    std::vector<Row> order;
    for (std::size_t row = 0; row < rows; ++row) {
      if (calls_.correlation[row] > 0) order.push_back(static_cast<Row>(row));
    }
    std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (key(order[i - 1]) != key(order[i])) continue;
      twin_[at(order[i - 1])] = order[i];
      first_[at(order[i])] = first_[at(order[i - 1])];
    }
  }
  // A call listed again is in the range of the original call.
  const auto share_range = [&](Row a, Row b) {
    if (range_[at(a)] == kNone) range_[at(a)] = range_[at(b)];
  };
  if (!range_.empty()) {
    for (std::size_t row = rows; row-- > 0;) {
      if (twin_[row] != kNone) share_range(static_cast<Row>(row), twin_[row]);
    }
    for (std::size_t row = 0; row < rows; ++row) {
      if (twin_[row] != kNone) share_range(twin_[row], static_cast<Row>(row));
    }
  }
  calls_.twin = {twin_.data(), twin_.size()};
}

template <class Table>
void WithRepeats::relink(const Table* events, std::optional<Table>& own, const Table*& place, std::vector<Row>& call) {
  if (events == nullptr) return;
  own = *events;
  for (const Row row : events->call.view()) call.push_back(row == kNone ? kNone : first_[at(new_row_[at(row)])]);
  static constexpr Row kEmpty = kNone;
  own->call = {call.empty() ? &kEmpty : call.data(), call.size()};
  place = &*own;
}

}  // namespace assay::nsys
