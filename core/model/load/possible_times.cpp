#include "load/possible_times.hpp"

#include <fmt/core.h>

#include <functional>

#include "load/clean.hpp"
#include "load/damage.hpp"

namespace assay::load {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
/// Nothing is recorded for longer than a month; a longer call or range does not cover a gap.
constexpr std::int64_t kLongestCapture = 30 * 86400 * kSecond;
/// A program may pause for longer than it ran before: its next event on the host is damage only after a day.
constexpr std::int64_t kLongestPause = 86400 * kSecond;

/// If most of so many rows break a rule, the rule is wrong: the recorded time is damaged, or the clocks of host and
/// device differ.
bool most(std::size_t some, std::size_t all) { return some >= kFewRows && some > all / 2; }

/// Times of a table, sorted by start.
struct TimedTable {
  std::string_view rows_are;  ///< "kernels"
  bool on_device = false;
  std::span<const std::int64_t> start, end;
  std::function<void(const std::vector<std::uint32_t>&)> keep;  ///< keeps these rows only; invalidates `start` and
                                                                ///< `end`

  [[nodiscard]] std::size_t rows() const { return start.size(); }
  [[nodiscard]] std::int64_t last_end() const { return *std::ranges::max_element(end); }
};

template <class Rows>
const Cells<std::int64_t>& starts(const Rows& rows) {
  if constexpr (requires { rows.time; })
    return rows.time.values();
  else
    return rows.start.values();
}
template <class Rows>
const Cells<std::int64_t>& ends(const Rows& rows) {
  if constexpr (requires { rows.time; })
    return rows.time.values();
  else
    return rows.end.values();
}

/// Calls `use(table, name of its rows, whether they ran on the device)` for every table whose rows have times.
template <class Store, class Use>
void each_table(Store& store, Use use) {
  use(store.kernels, "kernels", true);
  use(store.graphs, "graph launches", true);
  use(store.copies, "copies", true);
  use(store.sets, "memory sets", true);
  use(store.syncs, "synchronisations", false);
  use(store.overheads, "profiler overheads", false);
  use(store.causes, "causes", false);
  use(store.calls, "API calls", false);
  use(store.repeats, "API calls listed again", false);
  use(store.ranges, "ranges", false);
  use(store.spans, "start/end ranges", false);
  use(store.ops, "operators", false);
  use(store.allocations, "allocations", false);
  use(store.os_calls, "calls of the operating system", false);
  use(store.mpi_events, "MPI events", false);
  use(store.openacc_events, "OpenACC events", false);
  use(store.openmp_events, "OpenMP events", false);
  use(store.cpu_faults, "page faults of the CPU", false);
  use(store.gpu_faults, "page faults of the GPU", false);
}

/// Those with rows.
std::vector<TimedTable> tables_of(Profile::Store& store) {
  std::vector<TimedTable> tables;
  each_table(store, [&](auto& rows, std::string_view rows_are, bool on_device) {
    if (!rows || rows->rows() == 0) return;
    tables.push_back({rows_are, on_device, starts(*rows), ends(*rows),
                      [&store, &rows](const std::vector<std::uint32_t>& kept) { keep_rows(store, rows, kept); }});
  });
  return tables;
}

template <class Impossible>
std::size_t count(const TimedTable& table, Impossible impossible) {
  std::size_t rows = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) rows += impossible(table, i) ? 1U : 0U;
  return rows;
}

/// `why` continues a sentence: "begin ...".
template <class Impossible>
void leave_out(Profile::Store& store, const TimedTable& table, Impossible impossible, std::string_view why) {
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!impossible(table, i)) kept.push_back(static_cast<std::uint32_t>(i));
  }
  const auto dropped = static_cast<std::int64_t>(table.rows() - kept.size());
  if (dropped == 0) return;
  store.impossible += dropped;
  for (std::size_t i = 0; table.on_device && i < table.rows(); ++i)
    store.doubtful_time += impossible(table, i) ? std::min(table.end[i] - table.start[i], kSecond) : 0;
  store.issues.push_back({"impossible_times", Severity::kError, dropped,
                          fmt::format("{} of {} {} {}, so they are left out; record or export the profile again.",
                                      dropped, table.rows(), table.rows_are, why)});
  table.keep(kept);
}

void leave_out_zeros(Profile::Store& store) {
  const std::vector<TimedTable> tables = tables_of(store);
  const auto epoch = [](const TimedTable& table) { return table.start.back() >= kEpochTimes; };
  if (std::ranges::none_of(tables, epoch)) return;
  for (const TimedTable& table : tables) {
    if (table.start.front() > 0) continue;
    leave_out(
        store, table, [](const TimedTable& t, std::size_t i) { return t.start[i] == 0; },
        "have time 0 among times since 1970");
  }
}

/// An event that began before recording is real if it ended within: events on the host may be older.
bool outside(const RecordedTime& recorded, const TimedTable& table, std::size_t i) {
  if (table.end[i] > recorded.end + kSecond) return true;
  // Profilers write the first moment for work whose time they do not know.
  if (table.on_device) return table.start[i] == recorded.begin || table.start[i] < recorded.begin - kSecond;
  return table.end[i] < recorded.begin - kSecond || table.start[i] < recorded.begin - kLongestCapture;
}

void leave_out_unrecorded(Profile::Store& store) {
  const std::vector<TimedTable> tables = tables_of(store);
  const RecordedTime recorded = *store.recorded;
  const auto impossible = [&](const TimedTable& t, std::size_t i) { return outside(recorded, t, i); };
  std::vector<const TimedTable*> suspects;
  std::size_t rows = 0, wrong = 0;
  for (const TimedTable& table : tables) {
    rows += table.rows();
    if (table.start.front() > recorded.begin && table.last_end() <= recorded.end + kSecond) continue;
    suspects.push_back(&table);
    wrong += count(table, impossible);
  }
  if (most_damaged(wrong, rows)) {
    store.recorded.reset();
    store.issues.push_back({"recorded_time", Severity::kError, static_cast<std::int64_t>(wrong),
                            fmt::format("{} of {} events lie outside of the time in which the file says it was "
                                        "recorded, so that time is not used; record or export the profile again.",
                                        wrong, rows)});
    return;
  }
  for (const TimedTable* table : suspects)
    leave_out(store, *table, impossible, "lie outside of the time in which the file was recorded");
}

/// The rows that still count while impossible times are found one by one; each find halves the rest, so there are few.
class FarTimes {
 public:
  explicit FarTimes(std::span<const TimedTable> tables) : tables_(tables) {}

  /// By starts and the last end alone: whether checking every row is worthwhile.
  [[nodiscard]] bool possible() const {
    std::int64_t first = kFarthestTime, second = kFarthestTime, last = -kFarthestTime, before = -kFarthestTime,
                 end = -kFarthestTime;
    for (const TimedTable& t : tables_) {
      first = std::min(first, t.start.front());
      last = std::max(last, t.start.back());
      end = std::max(end, t.last_end());
    }
    for (const TimedTable& t : tables_) {
      const auto other = std::ranges::upper_bound(t.start, first);
      if (other != t.start.end()) second = std::min(second, *other);
      const auto same = std::ranges::lower_bound(t.start, last);
      if (same != t.start.begin()) before = std::max(before, *std::prev(same));
    }
    if (first == last) return true;
    const auto far = [](std::int64_t gap, std::int64_t span) { return gap > std::max(span, kSecond); };
    return far(end - last, last - first) || far(second - first, last - second) || far(last - before, before - first);
  }
  /// Whether one was found.
  bool find() {
    while (alone_ == false && (find_first() || find_last())) found_ = true;
    return found_;
  }
  /// Whether there are too few rows to identify an outlier.
  [[nodiscard]] bool too_few() const { return alone_; }
  [[nodiscard]] bool operator()(const TimedTable& t, std::size_t i) const {
    return t.start[i] < least_ || t.end[i] > most_;
  }

 private:
  struct Others {
    std::size_t rows = 0;
    std::int64_t first = kFarthestTime, last = -kFarthestTime;
    [[nodiscard]] std::int64_t span() const { return last - first; }
  };
  /// Device work has a launch near it; the host may pause.
  [[nodiscard]] static bool is_far(const TimedTable& t, std::int64_t gap, const Others& rest) {
    return gap > std::max(rest.span(), t.on_device ? kSecond : kLongestPause);
  }
  template <class Use>
  void each(Use use) const {
    for (const TimedTable& t : tables_) {
      for (std::size_t i = 0; i < t.rows(); ++i) {
        if (!(*this)(t, i)) use(t, i);
      }
    }
  }
  template <class Among>
  Others others(Among among) {
    Others out;
    each([&](const TimedTable& t, std::size_t i) {
      if (!among(t, i)) return;
      ++out.rows;
      out.first = std::min(out.first, t.start[i]);
      out.last = std::max(out.last, t.end[i]);
    });
    alone_ = alone_ || out.rows < 2;
    return out;
  }

  /// All rows that share the minimal start.
  bool find_first() {
    std::int64_t first = kFarthestTime;
    each([&](const TimedTable& t, std::size_t i) { first = std::min(first, t.start[i]); });
    const Others rest = others([&](const TimedTable& t, std::size_t i) { return t.start[i] > first; });
    if (alone_) return false;
    bool far = true;
    each([&](const TimedTable& t, std::size_t i) {
      if (t.start[i] != first) return;
      const bool covers = t.end[i] >= rest.first;
      const std::int64_t gap = rest.first - (covers ? first : t.end[i]);
      far = far && is_far(t, gap, rest) && (t.on_device || !covers || gap > kLongestCapture);
    });
    if (far) least_ = first + 1;
    return far;
  }
  /// All rows that share the maximal end.
  bool find_last() {
    std::int64_t last = -kFarthestTime;
    each([&](const TimedTable& t, std::size_t i) { last = std::max(last, t.end[i]); });
    const Others rest = others([&](const TimedTable& t, std::size_t i) { return t.end[i] < last; });
    if (alone_) return false;
    bool far = true;
    each([&](const TimedTable& t, std::size_t i) {
      if (t.end[i] != last) return;
      const bool covers = t.start[i] <= rest.last;
      const std::int64_t gap = (covers ? last : t.start[i]) - rest.last;
      far = far && is_far(t, gap, rest) && (t.on_device || !covers || gap > kLongestCapture);
    });
    if (far) most_ = last - 1;
    return far;
  }

  std::span<const TimedTable> tables_;
  std::int64_t least_ = -kFarthestTime, most_ = kFarthestTime;
  bool found_ = false, alone_ = false;
};

void leave_out_far(Profile::Store& store, const WantedColumns& wanted) {
  const std::vector<TimedTable> tables = tables_of(store);
  FarTimes far(tables);
  if (tables.empty() || !far.possible()) return;
  const bool found = far.find();
  const bool all_read = std::ranges::all_of(timed_tables(), [&](ColumnId table) { return wanted.table(table); });
  if (!all_read) {
    store.times_in_doubt = store.times_in_doubt || found || far.too_few();
    return;
  }
  if (!found) return;
  for (const TimedTable& table : tables)
    leave_out(store, table, far, "are farther from all others than these lie apart");
}

/// Whether work may begin long before a launch that was not read: if it lasts or is isolated for more than a second.
bool may_precede_launch(const TimedTable& table) {
  if (!table.on_device) return false;
  if (table.rows() > 1 && table.start[1] - table.start[0] > kSecond) return true;
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) longest = std::max(longest, table.end[i] - table.start[i]);
  return longest > kSecond;
}

template <class Rows>
void leave_out_early(Profile::Store& store, std::optional<Rows>& rows, const TimedTable& table) {
  const CallRows& calls = *store.calls;
  // The clock of a device is off by up to 0.1 ms in sound profiles.
  const auto early_by = [&](std::int64_t least) {
    return [&, least](const TimedTable& t, std::size_t i) {
      const Row call = rows->call[i];
      return call != kNone && t.start[i] < calls.start[static_cast<std::size_t>(call)] - least;
    };
  };
  const auto shifted = early_by(kSecond / 5000);
  const std::size_t wrong = count(table, shifted);
  if (wrong == 0) return;
  if (!most(wrong, table.rows()))
    return leave_out(store, table, early_by(kSecond / 1000), "begin more than 1 ms before they were launched");
  store.doubtful_time += kSecond;
  store.issues.push_back(
      {"clocks_differ", Severity::kError, static_cast<std::int64_t>(wrong),
       fmt::format("{} of {} {} begin more than 0.2 ms before they were launched: the clocks of host "
                   "and device differ, so that latencies and idle causes mean nothing.",
                   wrong, table.rows(), table.rows_are)});
}

}  // namespace

void leave_out_impossible(Profile::Store& store, const WantedColumns& wanted) {
  leave_out_zeros(store);
  if (store.recorded) leave_out_unrecorded(store);
  if (!store.recorded) leave_out_far(store, wanted);
}

void leave_out_before_launch(Profile::Store& store) {
  const std::vector<TimedTable> tables = tables_of(store);
  if (!store.calls) {
    store.times_in_doubt =
        store.times_in_doubt || (store.calls_left_out && std::ranges::any_of(tables, may_precede_launch));
    return;
  }
  each_table(store, [&](auto& rows, std::string_view rows_are, bool on_device) {
    if constexpr (requires { rows->call; }) {
      const auto table = std::ranges::find(tables, rows_are, &TimedTable::rows_are);
      if (on_device && table != tables.end()) leave_out_early(store, rows, *table);
    }
  });
}

std::set<ColumnId> timed_tables() {
  return {col::kernels,    col::graphs,         col::copies,        col::sets,       col::syncs,       col::overheads,
          col::calls,      col::ranges,         col::spans,         col::ops,        col::allocations, col::os_calls,
          col::mpi_events, col::openacc_events, col::openmp_events, col::cpu_faults, col::gpu_faults};
}

void drop_unasked(Profile::Store& store, const Profile::Store& asked) {
  std::set<std::string_view> had;
  each_table(asked, [&](const auto& rows, std::string_view rows_are, bool) {
    if (rows) had.insert(rows_are);
  });
  each_table(store, [&](auto& rows, std::string_view rows_are, bool on_device) {
    if (!had.contains(rows_are)) rows.reset();
    if constexpr (requires { rows->call; }) {
      if (rows && !asked.calls && (on_device || rows_are == "synchronisations")) rows->call.assign(rows->rows(), kNone);
    }
  });
  if (store.syncs && !asked.calls) store.syncs->record.drop();
  store.calls_left_out = asked.calls_left_out;
}

std::int64_t least_start(Profile::Store& store) {
  std::int64_t least = kNoValue;
  for (const TimedTable& table : tables_of(store))
    least = least == kNoValue ? table.start.front() : std::min(least, table.start.front());
  return least;
}

}  // namespace assay::load
