#include "algo/idle/idle_gaps.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace assay::idle {
namespace {

/// Walks the rows of one table that run in the window, in order of time.
class Track {
 public:
  template <class Table>
  Track(const Table* table, const Window& window) : window_(&window) {
    if (table == nullptr) return;
    rows_ = static_cast<std::size_t>(table->rows);
    membership_ = table->membership;
    start_ = table->start;
    end_ = table->end;
    device_ = table->device;
    call_ = table->call;
    start_next();
  }

  [[nodiscard]] bool done() const { return row_ == rows_; }
  void next() {
    ++row_;
    start_next();
  }
  [[nodiscard]] std::int64_t start() const { return std::clamp(start_[row_], window_->start, window_->end); }
  [[nodiscard]] std::int64_t end() const { return std::clamp(end_[row_], start(), window_->end); }
  [[nodiscard]] std::int32_t device() const { return device_.present() ? device_[row_] : kNone; }
  [[nodiscard]] Row call() const { return call_.present() ? call_[row_] : kNone; }

 private:
  void start_next() {
    while (row_ < rows_ && membership_[row_] == Membership::kOutside) ++row_;
  }

  const Window* window_;
  std::size_t row_ = 0, rows_ = 0;
  Column<std::int64_t> start_, end_;
  Column<std::int32_t> device_;
  Column<Row> call_;
  Column<Membership> membership_;
};

}  // namespace

std::size_t each_gap(const Report& report, const std::function<void(std::int32_t device, const Gap& gap)>& use) {
  const Window& window = *report.window;
  std::array<Track, 4> tracks{Track(report.kernels, window), Track(report.graphs, window), Track(report.copies, window),
                              Track(report.sets, window)};
  std::map<std::int32_t, std::int64_t> reach;  // per device: the latest end of the work that has started
  auto device = reach.end();
  // On equal starts, the earlier table first.
  const auto later = [](const Track& a, const Track& b) {
    return a.done() || b.done() ? a.done() && !b.done() : a.start() > b.start();
  };
  while (true) {
    auto first = tracks.begin();
    for (auto t = first + 1; t != tracks.end(); ++t) {
      if (later(*first, *t)) first = t;
    }
    if (first->done()) break;
    if (device == reach.end() || device->first != first->device())
      device = reach.try_emplace(first->device(), window.start).first;
    std::int64_t& until = device->second;
    if (first->start() > until) use(device->first, {{until, first->start()}, false, first->call()});
    until = std::max(until, first->end());
    first->next();
  }
  for (const auto& [id, until] : reach) {
    if (until < window.end) use(id, {{until, window.end}, true, kNone});
  }
  return reach.size();
}

}  // namespace assay::idle
