#include "load/host_waits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "assay/algo/intervals.hpp"
#include "assay/detail/stack_tables.hpp"
#include "load/clean.hpp"

namespace assay::load {
namespace {

/// Ranges of Python about its lock, and the kind of causes that say less than all others.
constexpr std::string_view kHolding = "Holding GIL", kWaiting = "Waiting for GIL", kScheduling = "scheduling";

using ThreadTimes = std::map<std::uint32_t, Intervals>;

template <class Rows, class Counts>
ThreadTimes times_of(const std::optional<Rows>& rows, const Counts& counts) {
  ThreadTimes out;
  for (std::size_t r = 0; rows && r < rows->rows(); ++r) {
    if (counts(r)) out[rows->thread[r]].push_back({rows->start[r], rows->end[r]});
  }
  for (auto& [thread, times] : out) times = merge(times);
  return out;
}

class HostWaits {
 public:
  explicit HostWaits(Profile::Store& store) : store_(store) {
    rows_.each([](auto& column) { column.make_present(0); });
    taken_ = times_of(store.calls, [](std::size_t) { return true; });
  }

  void add_gil() {
    const ThreadTimes waits = gil(kWaiting), holders = gil(kHolding);
    const StringId kind = store_.strings.intern("gil");
    for (const auto& [thread, times] : waits) {
      Intervals left = subtract(times, taken_[thread]);
      for (const auto& [holder, held] : holders) {
        if (holder == thread || store_.threads.process_of_thread(holder) != store_.threads.process_of_thread(thread))
          continue;
        const StringId name = store_.strings.intern(
            fmt::format("waiting for the GIL, held by thread {}", store_.threads.thread_ids()[holder]));
        for (const Interval& time : intersect(left, held)) add(time, thread, name, kind);
        left = subtract(left, held);
      }
      const StringId name = left.empty() ? 0 : store_.strings.intern("waiting for the GIL");
      for (const Interval& time : left) add(time, thread, name, kind);
      exclude(thread, times);
    }
  }

  void add_os_calls() {
    if (!store_.os_calls) return;
    const StringId kind = store_.strings.intern("blocked");
    std::map<StringId, StringId> names;
    std::map<std::uint32_t, Intervals> taken;
    for (std::size_t r = 0; r < store_.os_calls->rows(); ++r) {
      const HostEventRows& calls = *store_.os_calls;
      const auto [name, fresh] = names.try_emplace(calls.name[r], 0);
      if (fresh) name->second = store_.strings.intern(fmt::format("blocked in {}", store_.strings[calls.name[r]]));
      taken[calls.thread[r]].push_back({calls.start[r], calls.end[r]});
      const Interval own[] = {{calls.start[r], calls.end[r]}};
      if (own[0].end <= own[0].start) continue;
      for (const Interval& time : subtract(own, around(calls.thread[r], own[0])))
        add(time, calls.thread[r], name->second, kind);
    }
    for (auto& [thread, times] : taken) exclude(thread, merge(times));
  }

  /// Causes of the format: those of scheduling as far as nothing else explains the time, others as they are.
  void add_stated() {
    const std::optional<StringId> scheduling = store_.strings.find(kScheduling);
    for (std::size_t r = 0; store_.causes && r < store_.causes->rows(); ++r) {
      const CauseRows& of = *store_.causes;
      const Interval own[] = {{of.start[r], of.end[r]}};
      const StringId kind = of.kind.present() ? of.kind[r] : 0;
      const bool cut = kind == scheduling && own[0].end > own[0].start;
      for (const Interval& time : cut ? subtract(own, around(of.thread[r], own[0])) : Intervals{own[0]})
        add(time, of.thread[r], of.name[r], kind, of.file.present() ? of.file[r] : 0,
            of.line.present() ? of.line[r] : kNone);
    }
  }

  CauseRows release() { return std::move(rows_); }

 private:
  ThreadTimes gil(std::string_view name) const {
    const std::optional<StringId> id = store_.strings.find(name);
    if (!id || !store_.ranges) return {};
    return times_of(store_.ranges, [&](std::size_t r) { return store_.ranges->name[r] == *id; });
  }
  /// What is taken around a time.
  [[nodiscard]] std::span<const Interval> around(std::uint32_t thread, Interval time) {
    const Intervals& all = taken_[thread];
    const auto first = std::ranges::partition_point(all, [&](const Interval& i) { return i.end <= time.start; });
    const auto last = std::partition_point(first, all.end(), [&](const Interval& i) { return i.start < time.end; });
    return {first, last};
  }
  void exclude(std::uint32_t thread, const Intervals& times) {
    Intervals& own = taken_[thread];
    own.insert(own.end(), times.begin(), times.end());
    std::ranges::stable_sort(own, {}, &Interval::start);
    own = merge(own);
  }
  void add(Interval time, std::uint32_t thread, StringId name, StringId kind, StringId file = 0,
           std::int64_t line = kNone) {
    rows_.start.push(time.start);
    rows_.end.push(time.end);
    rows_.thread.push(thread);
    rows_.name.push(name);
    rows_.kind.push(kind);
    rows_.file.push(file);
    rows_.line.push(line);
  }

  Profile::Store& store_;
  ThreadTimes taken_;  ///< of calls and of earlier causes
  CauseRows rows_;
};

}  // namespace

void add_host_waits(Profile::Store& store) {
  const std::optional<StringId> scheduling = store.strings.find(kScheduling);
  const bool scheduled = scheduling && store.causes && store.causes->kind.present() &&
                         std::ranges::count(store.causes->kind.values(), *scheduling) > 0;
  if (!scheduled && !store.os_calls && !(store.ranges && store.strings.find(kWaiting))) return;
  HostWaits waits(store);
  waits.add_gil();
  waits.add_os_calls();
  waits.add_stated();
  CauseRows rows = waits.release();
  clean_and_sort(rows, "causes", store.issues);
  store.causes.reset();
  if (rows.rows() > 0) store.causes = std::move(rows);
}

void add_gil(Profile::Store& store) {
  const std::optional<StringId> holding = store.strings.find(kHolding), waiting = store.strings.find(kWaiting);
  const auto filled = [](const DeclaredTableRows& of) { return of.spec->name == stack_tables::kGil; };
  if (!store.ranges || (!holding && !waiting) || std::ranges::any_of(store.declared, filled)) return;
  const StringId states[] = {store.strings.intern("holding"), store.strings.intern("waiting")};
  DeclaredTableRows table;
  table.spec = &stack_tables::kGilTable;
  for (const ColumnSpec& spec : stack_tables::kGilColumns) table.columns.emplace_back().spec = &spec;
  for (std::size_t c = 0; c + 1 < table.columns.size(); ++c) table.columns[c].integers.make_present(0);
  table.columns.back().texts.make_present(0);
  for (std::size_t r = 0; r < store.ranges->rows(); ++r) {
    const StringId name = store.ranges->name[r];
    if (name != holding && name != waiting) continue;
    table.columns[0].integers.push(store.ranges->start[r]);
    table.columns[1].integers.push(store.ranges->end[r]);
    table.columns[2].integers.push(store.ranges->thread[r]);
    table.columns[3].texts.push(states[name == waiting ? 1 : 0]);
    ++table.rows;
  }
  if (table.rows > 0) store.declared.push_back(std::move(table));
}

}  // namespace assay::load
