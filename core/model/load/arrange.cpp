#include "load/arrange.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/algo/intervals.hpp"
#include "load/clean.hpp"
#include "load/contradictions.hpp"
#include "load/damage.hpp"
#include "load/link.hpp"
#include "load/possible_times.hpp"

namespace assay::load {
namespace {

/// Turns ids into a report column once linking is done; absent unless `wanted`.
template <class Rows>
void finish_correlation(Rows& rows, bool wanted) {
  if (!wanted) {
    rows.correlation.drop();
  } else if (!rows.correlation.present() && rows.ids.present()) {
    rows.correlation.make_present(rows.rows());
    rows.correlation.values().assign(rows.ids.values().begin(), rows.ids.values().end());
  }
  rows.ids.drop();
}

/// Latest time of work, calls and ranges.
std::int64_t last_time(const Profile::Store& store) {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  const auto see = [&](const auto& rows) {
    if (!rows || rows->rows() == 0) return;
    last = std::max(last, *std::ranges::max_element(rows->end.values()));
  };
  see(store.kernels);
  see(store.graphs);
  see(store.copies);
  see(store.sets);
  see(store.calls);
  see(store.ranges);
  see(store.spans);
  return last;
}

/// Ends ranges that were never closed at the last possible time.
void end_open_ranges(Profile::Store& store) {
  std::int64_t open = 0, all = 0;
  for (const auto* ranges : {&store.ranges, &store.spans}) {
    if (!*ranges || !(*ranges)->open.present()) continue;
    all += static_cast<std::int64_t>((*ranges)->rows());
    open += std::ranges::count((*ranges)->open.values(), 1);
  }
  if (open == 0) return;
  store.issues.push_back(
      {"open_ranges", Severity::kWarning, open,
       fmt::format("{} of {} NVTX ranges never end; they count to the end of the capture.", open, all)});
  const std::int64_t last = last_time(store);
  for (auto* ranges : {&store.ranges, &store.spans}) {
    if (!*ranges) continue;
    RangeRows& rows = **ranges;
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (rows.open[r] != 0) rows.end.values()[r] = std::max(last, rows.start[r]);
    }
    sort_again(store, *ranges);
  }
}

}  // namespace

void link_work(Profile::Store& store, const WantedColumns& wanted) {
  leave_out_impossible(store, wanted);
  mend_calls(store);
  const bool work = store.kernels || store.graphs || store.copies || store.sets || store.syncs;
  if (work && store.threads.process_count() == 0) store.threads.add_process(kNone);  // a process that no row names
  const bool one_process = store.threads.process_count() <= 1;
  std::optional<CallLinker> linker;
  if (store.calls && (work || wanted.column(col::call_twin))) linker.emplace(*store.calls, store.threads);
  const auto link = [&](auto& events) {
    if (!events) return;
    // Exports without globalPid: the process is known only if there is just one.
    for (std::uint32_t& process : events->process.values()) {
      if (process == kUnknown && one_process) process = 0;
    }
    if (linker) {
      linker->link(*events);
    } else {
      events->call.assign(events->rows(), kNone);
    }
  };
  link(store.kernels);
  link(store.copies);
  link(store.sets);
  link(store.graphs);
  link(store.syncs);
  leave_out_before_launch(store);
  mend_work(store, wanted);
  const auto finish = [&](auto& events, bool is_wanted) {
    if (events) finish_correlation(*events, is_wanted);
  };
  finish(store.kernels, wanted.column(col::kernel_correlation));
  finish(store.copies, wanted.column(col::copy_correlation));
  finish(store.sets, wanted.column(col::set_correlation));
  finish(store.graphs, false);
  finish(store.syncs, false);
  if (store.syncs && store.syncs->record_correlation.present()) {
    if (linker) linker->link_records(*store.syncs);
    store.syncs->record_correlation.drop();
  }
  if (!store.calls) return;
  if (linker) note_lost_launches(*linker, store);
  if (wanted.column(col::call_twin)) linker->fill_twins(*store.calls, store.threads);
  const bool told_apart = wanted.column(col::call_twin) && (linker->shares_ids() || store.repeats);
  finish_correlation(*store.calls, wanted.column(col::call_correlation) || told_apart);
  if (store.repeats) finish_correlation(*store.repeats, true);
}

void name_launches(Profile::Store& store) {
  const auto name = [&](const auto& work, CallKind kind) {
    for (std::size_t i = 0; work && store.calls && i < work->rows(); ++i) {
      if (work->call[i] == kNone) continue;
      CallKind& of = store.calls->kind.values()[static_cast<std::size_t>(work->call[i])];
      if (of == CallKind::kOther) of = kind;
    }
  };
  name(store.kernels, CallKind::kKernelLaunch);
  name(store.copies, CallKind::kCopy);
  name(store.sets, CallKind::kSet);
}

void arrange_ranges(Profile::Store& store, const WantedColumns& wanted) {
  end_open_ranges(store);
  const std::size_t threads = store.threads.thread_count();
  if (store.ranges) nest(*store.ranges, threads);
  if (store.calls && store.ranges && wanted.column(col::call_range)) attribute(*store.calls, *store.ranges, threads);
  if (store.spans) {
    store.spans->parent.assign(store.spans->rows(), kNone);
    store.spans->depth.assign(store.spans->rows(), 0);
    store.spans->reach.assign(store.spans->rows(), 0);
    compute_reach(store.spans->start.values(), store.spans->end.values(), store.spans->reach.values());
  }
}

}  // namespace assay::load
