#include "load/link.hpp"

#include <algorithm>
#include <bit>

namespace assay::load {
namespace {

/// Blocks of 64 ids cover all ids from min to max, as long as there are at most this many times more blocks than calls:
/// 32 bytes per call. nsys also numbers other traced events; under full tracing every ninth id is that of a call, and
/// seven calls share a block.
constexpr std::uint64_t kBlockFactor = 2, kBlockIds = 64;

bool fits_blocks(std::uint64_t width, std::uint64_t calls) { return width / kBlockIds < kBlockFactor * calls + 1024; }

bool launches(CallKind kind) {
  return kind == CallKind::kKernelLaunch || kind == CallKind::kGraphLaunch || kind == CallKind::kCopy ||
         kind == CallKind::kSet || kind == CallKind::kBlockingCopy;
}

/// Calls `use(process, row)` for each call with an id; 0: not linked.
template <class Use>
void for_each_linked(const CallRows& calls, const Threads& threads, Use use) {
  const CallIds ids(calls);
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    if (ids[c] > 0) use(threads.process_of_thread(calls.thread[c]), c);
  }
}

struct IdRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), greatest = std::numeric_limits<std::int64_t>::min();
  std::uint64_t calls = 0;
};

std::vector<IdRange> id_range_per_process(const CallRows& calls, const Threads& threads) {
  const CallIds ids(calls);
  std::vector<IdRange> ranges(threads.process_count());
  for_each_linked(calls, threads, [&](std::uint32_t process, std::size_t c) {
    IdRange& range = ranges[process];
    range.least = std::min(range.least, ids[c]);
    range.greatest = std::max(range.greatest, ids[c]);
    ++range.calls;
  });
  return ranges;
}

}  // namespace

std::size_t CallLinker::ProcessCalls::row_index(std::uint64_t at) const {
  const Block& block = blocks[at / kBlockIds];
  const std::uint64_t smaller = block.ids & ((std::uint64_t{1} << at % kBlockIds) - 1);
  return block.before + static_cast<std::size_t>(std::popcount(smaller));
}

Row CallLinker::ProcessCalls::find(std::int64_t correlation) const {
  if (!blocks.empty()) {
    const auto at = static_cast<std::uint64_t>(correlation) - static_cast<std::uint64_t>(least);
    if (correlation < least || at / kBlockIds >= blocks.size()) return kNone;
    return (blocks[at / kBlockIds].ids >> at % kBlockIds & 1) != 0 ? rows[row_index(at)] : kNone;
  }
  const auto at = std::ranges::lower_bound(sparse, correlation, {}, [](const auto& entry) { return entry.first; });
  return at != sparse.end() && at->first == correlation ? at->second : kNone;
}

CallLinker::CallLinker(const CallRows& calls, const Threads& threads) : processes_(threads.process_count()) {
  const CallIds ids(calls);
  if (!ids.present()) return;
  const std::vector<IdRange> ranges = id_range_per_process(calls, threads);
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    const auto& [least, greatest, count] = ranges[p];
    if (count == 0) continue;
    const std::uint64_t width = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(least);
    processes_[p].least = least;
    if (fits_blocks(width, count))
      processes_[p].blocks.resize(width / kBlockIds + 1);
    else
      processes_[p].sparse.reserve(count);
  }
  for_each_linked(calls, threads, [&](std::uint32_t p, std::size_t c) {
    ProcessCalls& process = processes_[p];
    if (process.blocks.empty()) {
      process.sparse.emplace_back(ids[c], static_cast<Row>(c));
      return;
    }
    const auto at = static_cast<std::uint64_t>(ids[c] - process.least);
    process.blocks[at / kBlockIds].ids |= std::uint64_t{1} << at % kBlockIds;
  });
  for (ProcessCalls& process : processes_) {
    std::uint32_t before = 0;
    for (Block& block : process.blocks) {
      block.before = before;
      before += static_cast<std::uint32_t>(std::popcount(block.ids));
    }
    process.rows.assign(before, kNone);
  }
  const auto call_launches = [&](Row row) { return launches(calls.kind[static_cast<std::size_t>(row)]); };
  for_each_linked(calls, threads, [&](std::uint32_t p, std::size_t c) {
    ProcessCalls& process = processes_[p];
    if (process.blocks.empty()) return;
    const auto row = static_cast<Row>(c);
    Row& holder = process.rows[process.row_index(static_cast<std::uint64_t>(ids[c] - process.least))];
    shared_ = shared_ || holder != kNone;
    if (holder == kNone || (call_launches(row) && !call_launches(holder))) holder = row;
  });
  const auto same_id = [](const auto& a, const auto& b) { return a.first == b.first; };
  for (ProcessCalls& process : processes_) {
    std::ranges::sort(process.sparse, [&](const auto& a, const auto& b) {
      if (a.first != b.first) return a.first < b.first;
      const bool a_launches = call_launches(a.second), b_launches = call_launches(b.second);
      return a_launches != b_launches ? a_launches : a.second < b.second;
    });
    shared_ = shared_ || std::ranges::adjacent_find(process.sparse, same_id) != process.sparse.end();
  }
}

void CallLinker::fill_twins(CallRows& calls, const Threads& threads) const {
  if (!shared_) return;
  const CallIds ids(calls);
  calls.twin.assign(calls.rows(), kNone);
  Cells<Row>& twin = calls.twin.values();
  for (std::size_t c = calls.rows(); c-- > 0;) {
    if (ids[c] <= 0) continue;
    const Row first = processes_[threads.process_of_thread(calls.thread[c])].find(ids[c]);
    if (first == static_cast<Row>(c)) continue;
    twin[c] = twin[static_cast<std::size_t>(first)];
    twin[static_cast<std::size_t>(first)] = static_cast<Row>(c);
  }
}

void CallLinker::link(EventRows& events) const {
  events.call.assign(events.rows(), kNone);
  const CallIds ids(events);
  if (!ids.present()) return;
  Cells<Row>& call = events.call.values();
  for (std::size_t e = 0; e < call.size(); ++e) {
    const std::uint32_t process = events.process[e];
    if (ids[e] > 0 && process < processes_.size()) call[e] = processes_[process].find(ids[e]);
  }
}

void CallLinker::link_records(SyncRows& syncs) const {
  syncs.record.assign(syncs.rows(), kNone);
  for (std::size_t s = 0; s < syncs.rows(); ++s) {
    const std::uint32_t process = syncs.process[s];
    if (syncs.record_correlation[s] > 0 && process < processes_.size())
      syncs.record.values()[s] = processes_[process].find(syncs.record_correlation[s]);
  }
}

namespace {

/// Rows by start; the longer of two with equal start was pushed first. Tables are mostly sorted by start, so only rows
/// with equal starts are moved.
template <class Rows>
std::vector<std::uint32_t> pushing_order(const Rows& ranges) {
  std::vector<std::uint32_t> order(ranges.rows());
  std::iota(order.begin(), order.end(), 0U);
  const auto longer = [&](std::uint32_t a, std::uint32_t b) { return ranges.end[a] > ranges.end[b]; };
  const auto& start = ranges.start.values();
  if (!std::ranges::is_sorted(start))
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return start[a] < start[b]; });
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && start[order[to]] == start[order[from]]) ++to;
    if (to - from > 1) std::stable_sort(order.data() + from, order.data() + to, longer);
  }
  return order;
}

}  // namespace

template <class Rows>
void nest(Rows& ranges, std::size_t thread_count) {
  const std::size_t rows = ranges.rows();
  ranges.parent.assign(rows, kNone);
  ranges.depth.assign(rows, 0);
  std::vector<std::vector<Row>> open(thread_count);
  for (const std::uint32_t r : pushing_order(ranges)) {
    std::vector<Row>& stack = open[ranges.thread[r]];
    // One that ends soon after this begins, and before this ends, is no range around it: profilers write ends late.
    const auto is_over = [&](Row row) {
      const auto outer = static_cast<std::size_t>(row);
      const std::int64_t start = ranges.start[outer], end = ranges.end[outer];
      return end < ranges.end[r] &&
             end - ranges.start[r] <= std::min(end - start, ranges.end[r] - ranges.start[r]) / 100;
    };
    while (!stack.empty() && is_over(stack.back())) stack.pop_back();
    if (!stack.empty()) {
      ranges.parent.values()[r] = stack.back();
      ranges.depth.values()[r] = ranges.depth[static_cast<std::size_t>(stack.back())] + 1;
    }
    stack.push_back(static_cast<Row>(r));
  }
}

namespace {

/// Finds the innermost enclosing range that ends late enough, in time logarithmic in the nesting depth. Each range has
/// a pointer to a distant ancestor and the latest end of the ranges skipped on the way.
template <class Rows>
class LongEnough {
 public:
  /// `order`: parents precede the ranges inside them.
  LongEnough(const Rows& ranges, std::span<const std::uint32_t> order) : ranges_(ranges), up_(ranges.rows()) {
    for (const std::uint32_t r : order) {
      const Row parent = ranges.parent[r];
      Up& up = up_[r];
      up = {parent, 1, ranges.end[r]};
      if (parent == kNone) continue;
      const Up& first = up_[at(parent)];
      if (first.row == kNone || first.steps != up_[at(first.row)].steps) continue;
      const Up& second = up_[at(first.row)];
      up = {second.row, first.steps + second.steps + 1, std::max({up.last_end, first.last_end, second.last_end})};
    }
  }

  /// `row` or the innermost range around it that ends at `time` or later; kNone: none.
  [[nodiscard]] Row find(Row row, std::int64_t time) const {
    while (row != kNone && ranges_.end[at(row)] < time) {
      row = up_[at(row)].last_end < time ? up_[at(row)].row : ranges_.parent[at(row)];
    }
    return row;
  }

 private:
  struct Up {
    Row row = kNone;            ///< around this one
    std::int32_t steps = 0;     ///< to it
    std::int64_t last_end = 0;  ///< latest end of this range and those skipped
  };
  static std::size_t at(Row row) { return static_cast<std::size_t>(row); }

  const Rows& ranges_;
  std::vector<Up> up_;
};

}  // namespace

template <class Rows>
void innermost_around(const CallRows& calls, const Rows& ranges, std::size_t thread_count, OwnedColumn<Row>& to) {
  to.assign(calls.rows(), kNone);
  std::vector<Row> innermost(thread_count, kNone);  // last open range of each thread
  std::size_t next = 0;
  std::vector<std::uint32_t> order(ranges.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return ranges.start[a] != ranges.start[b] ? ranges.start[a] < ranges.start[b] : ranges.depth[a] < ranges.depth[b];
  });
  const LongEnough around(ranges, order);
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    for (; next < order.size() && ranges.start[order[next]] <= calls.start[c]; ++next) {
      innermost[ranges.thread[order[next]]] = static_cast<Row>(order[next]);
    }
    Row& at = innermost[calls.thread[c]];
    // Ranges that ended before this call are closed for good; one that ends within the call is skipped for this call
    // only.
    while (at != kNone && ranges.end[static_cast<std::size_t>(at)] < calls.start[c])
      at = ranges.parent[static_cast<std::size_t>(at)];
    to.values()[c] = around.find(at, calls.end[c]);
  }
}

void attribute(CallRows& calls, const RangeRows& ranges, std::size_t thread_count) {
  innermost_around(calls, ranges, thread_count, calls.range);
}

template void nest(RangeRows&, std::size_t);
template void nest(OpRows&, std::size_t);
template void innermost_around(const CallRows&, const RangeRows&, std::size_t, OwnedColumn<Row>&);
template void innermost_around(const CallRows&, const OpRows&, std::size_t, OwnedColumn<Row>&);

}  // namespace assay::load
