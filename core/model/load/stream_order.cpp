#include "load/stream_order.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_set>

#include "assay/detail/longest_ascending.hpp"
#include "load/clean.hpp"
#include "load/damage.hpp"

namespace assay::load {
namespace {

std::size_t place_of_call(Row call) { return static_cast<std::size_t>(call); }

using StreamKey = std::tuple<std::uint32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;

/// A row of kernels, copies or memory sets.
struct StreamWork {
  std::uint8_t table = 0;
  std::uint32_t row = 0;
  std::int64_t start = 0, end = 0;
  Row call = kNone;
};

/// Kernels, copies and memory sets, table 0, 1 and 2.
template <class Use>
void each_streamed(Profile::Store& store, Use&& use) {
  use(std::uint8_t{0}, store.kernels);
  use(std::uint8_t{1}, store.copies);
  use(std::uint8_t{2}, store.sets);
}

class StreamOrder {
 public:
  explicit StreamOrder(Profile::Store& store) : store_(store) {
    each_streamed(store_, [&](std::uint8_t, const auto& rows) {
      by_context_ = by_context_ && (!rows || rows->context.present());
    });
  }

  /// Whether any row breaks a rule; a cheap look at all rows, table by table.
  [[nodiscard]] bool is_broken() {
    bool broken = false;
    struct Last {
      std::int64_t end = -kFarthestTime;
      Row call = kNone;
    };
    std::map<StreamKey, Last> streams;
    std::array<std::size_t, 3> next{};
    std::array<std::span<const std::int64_t>, 3> starts;
    each_streamed(store_, [&](std::uint8_t table, const auto& rows) {
      if (rows) starts[table] = rows->start.values();
    });
    std::array<std::pair<StreamKey, Last*>, 3> latest{};
    const auto see = [&](std::uint8_t table, const auto& rows, std::size_t i) {
      if (is_of_graph(rows, i)) return;
      const StreamKey key = key_of(rows, i);
      auto& [known, last] = latest[table];
      if (last == nullptr || known != key) latest[table] = {key, last = &streams[key]};
      broken = broken || rows.end[i] < last->end || launched_before(rows.call[i], last->call);
      last->end = std::max(last->end, rows.end[i]);
      if (rows.call[i] != kNone) last->call = rows.call[i];
    };
    for (;;) {
      std::size_t first = 3;
      for (std::size_t t = 0; t < 3; ++t) {
        if (next[t] < starts[t].size() && (first == 3 || starts[t][next[t]] < starts[first][next[first]])) first = t;
      }
      if (first == 3 || broken) return broken;
      each_streamed(store_, [&](std::uint8_t table, const auto& rows) {
        if (table == first) see(table, *rows, next[table]++);
      });
    }
  }

  void mend() {
    std::map<StreamKey, std::vector<StreamWork>> streams;
    std::size_t all = 0;
    const std::array<std::unordered_set<std::int64_t>, 3> shared = {shared_ids(store_.kernels), {}, {}};
    each_streamed(store_, [&](std::uint8_t table, const auto& rows) {
      for (std::size_t i = 0; rows && i < rows->rows(); ++i) {
        if (is_of_graph(*rows, i)) continue;
        if (const CallIds ids(*rows); ids.present() && shared[table].contains(ids[i])) continue;
        streams[key_of(*rows, i)].push_back(
            {table, static_cast<std::uint32_t>(i), rows->start[i], rows->end[i], rows->call[i]});
        ++all;
      }
    });
    for (auto& [key, works] : streams) {
      std::ranges::sort(works, {}, [](const StreamWork& w) { return std::tuple(w.start, w.end, w.table, w.row); });
      find_moved(works);
    }
    std::ranges::sort(moved_);
    const bool ordered = !most_damaged(moved_.size(), all);
    std::size_t cut = 0;
    for (auto& [key, works] : streams) {
      if (ordered) std::erase_if(works, [&](const StreamWork& w) { return is_moved(w); });
      cut += cut_ends(works);
    }
    leave_out_moved(ordered, all);
    if (cut > 0)
      add_error(store_, "impossible_ends", cut,
                fmt::format(
                    "{} of {} kernels, copies and memory sets end after work that began later on their stream ({:.3g} "
                    "s too late in all), which cannot be; they are cut at the next start, export the profile again.",
                    cut, all, static_cast<double>(cut_time_) / 1e9));
  }

 private:
  template <class Rows>
  [[nodiscard]] StreamKey key_of(const Rows& rows, std::size_t i) const {
    const auto cell = [&](const auto& column) { return by_context_ && column.present() ? column[i] : kNone; };
    return {rows.process[i], rows.device[i], rows.stream[i], cell(rows.context), cell(rows.green_context)};
  }
  /// Kernels of one graph launch run side by side. Work whose stream is not known has no order either.
  template <class Rows>
  [[nodiscard]] bool is_of_graph(const Rows& rows, std::size_t i) const {
    if (rows.stream[i] == kNone) return true;
    if constexpr (requires { rows.graph_node; }) {
      if (rows.graph_node.present() && rows.graph_node[i] != kNone) return true;
    }
    const Row call = rows.call[i];
    return call != kNone && store_.calls->kind[place_of_call(call)] == CallKind::kGraphLaunch;
  }
  /// Ids that several kernels have: those of a graph launch that the capture did not record.
  static std::unordered_set<std::int64_t> shared_ids(const std::optional<KernelRows>& kernels) {
    std::unordered_set<std::int64_t> shared;
    if (!kernels) return shared;
    const CallIds ids(*kernels);
    std::unordered_set<std::int64_t> seen;
    for (std::size_t i = 0; ids.present() && i < kernels->rows(); ++i) {
      if (kernels->call[i] == kNone && !seen.insert(ids[i]).second) shared.insert(ids[i]);
    }
    return shared;
  }
  /// Whether one call had returned before the other began.
  [[nodiscard]] bool launched_before(Row call, Row other) const {
    if (call == kNone || other == kNone || call == other) return false;
    return store_.calls->end[place_of_call(call)] < store_.calls->start[place_of_call(other)];
  }
  void find_moved(const std::vector<StreamWork>& works) {
    std::vector<std::int64_t> launches;
    std::vector<const StreamWork*> launched;
    for (const StreamWork& work : works) {
      if (work.call == kNone) continue;
      launched.push_back(&work);
      launches.push_back(store_.calls->start[place_of_call(work.call)]);
    }
    const std::vector<std::size_t> ordered = longest_ascending(launches);
    for (std::size_t i = 0, next = 0; i < launched.size(); ++i) {
      if (next < ordered.size() && ordered[next] == i) {
        ++next;
        continue;
      }
      const Row before = next > 0 ? launched[ordered[next - 1]]->call : Row{kNone};
      const Row after = next < ordered.size() ? launched[ordered[next]]->call : Row{kNone};
      if (launched_before(launched[i]->call, before) || launched_before(after, launched[i]->call)) {
        moved_.emplace_back(launched[i]->table, launched[i]->row);
        moved_time_ += launched[i]->end - launched[i]->start;
      }
    }
  }
  [[nodiscard]] bool is_moved(const StreamWork& work) const {
    return std::ranges::binary_search(moved_, std::pair(work.table, work.row));
  }
  std::size_t cut_ends(const std::vector<StreamWork>& works) {
    std::size_t cut = 0;
    std::int64_t least = kFarthestTime;
    for (std::size_t i = works.size(); i-- > 0;) {
      const StreamWork& work = works[i];
      if (work.end > least) {
        ++cut;
        const std::int64_t end = works[i + 1].start;
        cut_time_ += work.end - end;
        store_.doubtful_time += work.end - end;
        each_streamed(store_, [&](std::uint8_t table, auto& rows) {
          if (table == work.table) rows->end.values()[work.row] = end;
        });
        least = std::min(least, end);
      } else {
        least = work.end;
      }
    }
    return cut;
  }
  void leave_out_moved(bool ordered, std::size_t all) {
    if (!moved_.empty() && !ordered) {
      store_.doubtful_time += moved_time_;
      return add_error(
          store_, "launch_order", moved_.size(),
          fmt::format("{} of {} kernels, copies and memory sets run in another order than their stream was given "
                      "them, so the times of this file contradict each other; record or export it again.",
                      moved_.size(), all));
    }
    each_streamed(store_, [&](std::uint8_t table, auto& rows) {
      if (!rows) return;
      std::vector<std::uint32_t> dropped;
      for (const auto& [of, row] : moved_) {
        if (of == table) dropped.push_back(row);
      }
      if (!dropped.empty()) drop_rows(store_, rows, dropped);
      sort_again(store_, rows);
    });
    store_.impossible += static_cast<std::int64_t>(moved_.size());
    store_.doubtful_time += moved_time_;
    if (!moved_.empty())
      add_error(
          store_, "impossible_times", moved_.size(),
          fmt::format("{} of {} kernels, copies and memory sets begin before work of their stream that was launched "
                      "earlier, so they are left out; record or export the profile again.",
                      moved_.size(), all));
  }

  Profile::Store& store_;
  std::vector<std::pair<std::uint8_t, std::uint32_t>> moved_;  // table and row
  std::int64_t cut_time_ = 0, moved_time_ = 0;
  bool by_context_ = true;  ///< the contexts of all work are known
};

bool decides(const WantedColumns& wanted) {
  constexpr ColumnId kContexts[] = {col::kernel_context,     col::kernel_green_context, col::copy_context,
                                    col::copy_green_context, col::set_context,          col::set_green_context};
  return wanted.table(col::calls) &&
         std::ranges::all_of(kContexts, [&](ColumnId context) { return wanted.column(context); });
}

}  // namespace

void mend_streams(Profile::Store& store, const WantedColumns& wanted) {
  if (!store.kernels && !store.copies && !store.sets) return;
  StreamOrder order(store);
  if (!order.is_broken()) return;
  if (decides(wanted))
    order.mend();
  else
    store.times_in_doubt = true;
}

}  // namespace assay::load
