#include "load/contradictions.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/detail/longest_ascending.hpp"
#include "load/clean.hpp"
#include "load/damage.hpp"
#include "load/stream_order.hpp"

namespace assay::load {
namespace {

// ---- rows that are there twice

/// Rows that repeat one before them; rows with equal times are neighbours. `same(a, b)`: they agree in all else.
template <class Rows, class Same>
std::vector<std::uint32_t> repeated_rows(const Rows& rows, Same same) {
  std::vector<std::uint32_t> repeated;
  std::size_t first = 0;  // of the rows with the same times
  for (std::size_t i = 1; i < rows.rows(); ++i) {
    if (rows.start[i] != rows.start[i - 1] || rows.end[i] != rows.end[i - 1]) {
      first = i;
      continue;
    }
    for (std::size_t k = first; k < i; ++k) {
      if (!same(k, i)) continue;
      repeated.push_back(static_cast<std::uint32_t>(i));
      break;
    }
  }
  return repeated;
}

/// Returns the ns of the rows that were dropped.
template <class Rows, class Same>
std::int64_t drop_repeated(Profile::Store& store, std::optional<Rows>& rows, std::string_view rows_are, Same same) {
  const std::vector<std::uint32_t> repeated = repeated_rows(*rows, same);
  if (repeated.empty()) return 0;
  std::int64_t time = 0;
  for (const std::uint32_t row : repeated) time += rows->end[row] - rows->start[row];
  add_error(store, "repeated_rows", repeated.size(),
            fmt::format("{} of {} {} are there twice, with the same times and ids; each counts once.", repeated.size(),
                        rows->rows(), rows_are));
  drop_rows(store, rows, repeated);
  return time;
}

template <class Rows>
std::int64_t time_of(const Rows& rows) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) sum += rows.end[i] - rows.start[i];
  return sum;
}

template <class T>
bool equal(const OwnedColumn<T>& column, std::size_t a, std::size_t b) {
  return !column.present() || column[a] == column[b];
}

void drop_repeated_work(Profile::Store& store) {
  const auto work = [&](auto& rows, std::string_view rows_are) {
    if (!rows) return;
    const CallIds ids(*rows);
    if (!ids.present()) return;
    store.doubtful_time += drop_repeated(store, rows, rows_are, [&](std::size_t a, std::size_t b) {
      if (ids[a] <= 0 || ids[a] != ids[b] || rows->stream[a] != rows->stream[b] || rows->device[a] != rows->device[b] ||
          rows->process[a] != rows->process[b] || rows->end[a] == rows->start[a])
        return false;
      if constexpr (requires { rows->graph_node; })
        return equal(rows->graph_node, a, b) && equal(rows->name, a, b) && equal(rows->short_name, a, b);
      if constexpr (requires { rows->bytes; }) return equal(rows->bytes, a, b);
      return true;
    });
  };
  work(store.kernels, "kernels");
  work(store.graphs, "graph launches");
  work(store.copies, "copies");
  work(store.sets, "memory sets");
}

void drop_repeated_calls(Profile::Store& store) {
  if (!store.calls) return;
  const CallIds ids(*store.calls);
  if (!ids.present()) return;
  drop_repeated(store, store.calls, "API calls", [&](std::size_t a, std::size_t b) {
    const CallRows& calls = *store.calls;
    return ids[a] > 0 && ids[a] == ids[b] && calls.thread[a] == calls.thread[b] && calls.kind[a] == calls.kind[b] &&
           calls.end[a] != calls.start[a] && equal(calls.name, a, b);
  });
}

// ---- the order of a thread

void mend_begins(Profile::Store& store) {
  CallRows& calls = *store.calls;
  const CallIds ids(calls);
  if (!ids.present()) return;
  std::vector<std::int64_t> last(store.threads.thread_count(), 0);
  bool broken = false;
  for (std::size_t c = 0; c < calls.rows() && !broken; ++c) {
    if (ids[c] <= 0) continue;
    broken = ids[c] < last[calls.thread[c]];
    last[calls.thread[c]] = ids[c];
  }
  if (!broken) return;
  std::vector<std::vector<std::size_t>> by_thread(last.size());
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    if (ids[c] > 0) by_thread[calls.thread[c]].push_back(c);
  }
  struct Begin {
    std::size_t call;
    std::int64_t start;
  };
  std::vector<Begin> wrong;
  for (const std::vector<std::size_t>& rows : by_thread) {
    std::vector<std::int64_t> numbers;
    for (const std::size_t c : rows) numbers.push_back(ids[c]);
    const std::vector<std::size_t> ordered = longest_ascending(numbers);
    for (std::size_t i = 0, next = 0; i < rows.size(); ++i) {
      if (next < ordered.size() && ordered[next] == i) {
        ++next;
        continue;
      }
      const auto after = std::ranges::upper_bound(ordered, numbers[i], {}, [&](std::size_t at) { return numbers[at]; });
      const std::int64_t end = calls.end[rows[i]];
      wrong.push_back({rows[i], after == ordered.begin() ? end : std::min(end, calls.end[rows[*std::prev(after)]])});
    }
  }
  if (wrong.size() > calls.rows() / kMaxDamaged) return;  // ids of this profiler have no order
  for (const Begin& begin : wrong) calls.start.values()[begin.call] = begin.start;
  sort_again(store, store.calls);
  add_error(
      store, "impossible_times", wrong.size(),
      fmt::format("{} of {} API calls begin before calls of their thread with smaller ids; they begin where the call "
                  "before them ends, export the profile again.",
                  wrong.size(), calls.rows()));
}

/// In sound profiles a launch, a copy or a wait contains no call but the driver's for it; others may contain any.
void mend_ends(Profile::Store& store) {
  CallRows& calls = *store.calls;
  struct Around {
    std::size_t call = 0, next = 0, within = 0;
    bool counts = false;
  };
  std::vector<Around> threads(store.threads.thread_count());
  std::size_t cut = 0;
  const auto finish = [&](const Around& of) {
    if (!of.counts || of.within < 2) return;
    calls.end.values()[of.call] = calls.start[of.next];
    ++cut;
  };
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    Around& around = threads[calls.thread[c]];
    const bool is_within = calls.start[c] > calls.start[around.call] && calls.start[c] < calls.end[around.call] &&
                           calls.end[c] <= calls.end[around.call];
    if (around.counts && is_within) {
      if (around.within++ == 0) around.next = c;
      continue;
    }
    finish(around);
    around = {c, 0, 0, calls.kind[c] != CallKind::kOther};
  }
  for (const Around& of : threads) finish(of);
  if (cut == 0) return;
  sort_again(store, store.calls);
  add_error(
      store, "impossible_ends", cut,
      fmt::format("{} of {} API calls (launches, copies, waits) contain later calls of their thread; they are cut at "
                  "the next one, export the profile again.",
                  cut, calls.rows()));
}

/// Kernels whose launch is missing although calls with smaller and with larger ids are there.
void note_lost_calls(Profile::Store& store) {
  if (!store.calls || !store.kernels) return;
  const CallIds of_calls(*store.calls);
  const CallIds of_kernels(*store.kernels);
  if (!of_calls.present() || !of_kernels.present()) return;
  std::vector<std::pair<std::int64_t, std::int64_t>> known(store.threads.process_count(), {kFarthestTime, 0});
  for (std::size_t c = 0; c < store.calls->rows(); ++c) {
    if (of_calls[c] <= 0) continue;
    auto& [least, most] = known[store.threads.process_of_thread(store.calls->thread[c])];
    least = std::min(least, of_calls[c]);
    most = std::max(most, of_calls[c]);
  }
  std::size_t lost = 0;
  const KernelRows& kernels = *store.kernels;
  for (std::size_t k = 0; k < kernels.rows(); ++k) {
    if (kernels.call[k] != kNone || kernels.process[k] >= known.size()) continue;
    lost +=
        of_kernels[k] > known[kernels.process[k]].first && of_kernels[k] < known[kernels.process[k]].second ? 1U : 0U;
  }
  if (lost > 0)
    store.issues.push_back({"lost_calls", Severity::kWarning, static_cast<std::int64_t>(lost),
                            fmt::format("{} of {} kernels have no launch, although calls before and after it were "
                                        "recorded: calls were lost, and with them why the GPU waited.",
                                        lost, kernels.rows())});
}

// ---- durations

bool in_microseconds(std::span<const std::int64_t> start) {
  return std::ranges::all_of(start, [](std::int64_t time) { return time % 1000 == 0; });
}

void note_calls_without_durations(Profile::Store& store) {
  const CallRows& calls = *store.calls;
  std::size_t none = 0;
  for (std::size_t c = 0; c < calls.rows(); ++c) none += calls.start[c] == calls.end[c] ? 1U : 0U;
  if (none == 0 || in_microseconds(calls.start.values())) return;
  store.issues.push_back({"no_durations", Severity::kWarning, static_cast<std::int64_t>(none),
                          fmt::format("{} of {} API calls last no time, which none can: their ends were lost or are "
                                      "written coarsely, so what the host did is not known.",
                                      none, calls.rows())});
}

void note_missing_durations(Profile::Store& store) {
  constexpr std::int64_t kLeast = 100;  // ns; the shortest kernels and copies of any GPU last longer
  const auto note = [&](const auto& rows, std::string_view rows_are) {
    if (!rows || rows->rows() == 0) return;
    std::size_t none = 0;
    const std::int64_t least = rows->rows() < kFewRows ? 1 : kLeast;  // a few short rows are made up
    for (std::size_t i = 0; i < rows->rows(); ++i) none += rows->end[i] - rows->start[i] < least ? 1U : 0U;
    if (none == 0 || in_microseconds(rows->start.values())) return;
    const bool most = none > rows->rows() / 2;
    if (most) store.doubtful_time += std::max<std::int64_t>(time_of(*rows), 1);
    store.issues.push_back({"no_durations", most ? Severity::kError : Severity::kWarning,
                            static_cast<std::int64_t>(none),
                            fmt::format("{} of {} {} last less than {} ns, which none can: their ends were lost{}.",
                                        none, rows->rows(), rows_are, least,
                                        most ? ", so how busy the device was is not known; record the run again"
                                             : ", so they count for nothing")});
  };
  note(store.kernels, "kernels");
  note(store.copies, "copies");
  note(store.sets, "memory sets");
}

}  // namespace

void mend_calls(Profile::Store& store) {
  if (!store.calls) return;
  note_calls_without_durations(store);
  drop_repeated_calls(store);
  mend_begins(store);
  mend_ends(store);
}

void mend_work(Profile::Store& store, const WantedColumns& wanted) {
  note_missing_durations(store);
  note_lost_calls(store);
  drop_repeated_work(store);
  mend_streams(store, wanted);
}
void note_doubtful_time(Profile::Store& store) {
  constexpr std::int64_t kWorthSaying = 100;  // one part in so many
  std::int64_t time = 0;
  const auto add = [&](const auto& rows) { time += rows ? time_of(*rows) : 0; };
  add(store.kernels);
  add(store.copies);
  add(store.sets);
  time = std::max(time, store.doubtful_time);
  if (store.doubtful_time <= time / kWorthSaying) return;
  const double percent = 100 * static_cast<double>(store.doubtful_time) / static_cast<double>(time);
  add_error(store, kDamagedTimes, 0,
            fmt::format("This file contradicts itself in {:.{}f} % of its device time (see its problems): export or "
                        "record it again before you believe a time of the GPU",
                        percent, percent < 10 ? 1 : 0));
}

}  // namespace assay::load
