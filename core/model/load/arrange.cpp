#include "load/arrange.hpp"

#include "assay/algo/intervals.hpp"
#include "load/clean.hpp"
#include "load/link.hpp"

namespace assay::load {
namespace {

/// The column of the report, once nothing is to be linked; absent unless `wanted`.
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

}  // namespace

void link_work(Profile::Store& store, const Wanted& wanted) {
  const bool one_process = store.threads.process_count() <= 1;
  std::optional<CallLinker> linker;
  const bool work = store.kernels || store.graphs || store.copies || store.sets || store.syncs;
  if (store.calls && (work || wanted.column(col::call_twin))) linker.emplace(*store.calls, store.threads);
  const auto link = [&](auto& events, ColumnId correlation) {
    if (!events) return;
    // Exports without globalPid: the process is known only when there is no other.
    for (std::uint32_t& process : events->process.values()) {
      if (process == kUnknown && one_process) process = 0;
    }
    if (linker) {
      linker->link(*events);
    } else {
      events->call.assign(events->rows(), kNone);
    }
    finish_correlation(*events, wanted.column(correlation));
  };
  constexpr auto kNever = static_cast<ColumnId>(0);
  link(store.kernels, col::kernel_correlation);
  link(store.copies, col::copy_correlation), link(store.sets, col::set_correlation);
  link(store.graphs, kNever), link(store.syncs, kNever);
  if (store.syncs && store.syncs->record_correlation.present()) {
    if (linker) linker->link_records(*store.syncs);
    store.syncs->record_correlation.drop();
  }
  if (!store.calls) return;
  if (wanted.column(col::call_twin)) linker->give_twins(*store.calls, store.threads);
  const bool told_apart = wanted.column(col::call_twin) && (linker->shares_ids() || store.repeats);
  finish_correlation(*store.calls, wanted.column(col::call_correlation) || told_apart);
  if (store.repeats) finish_correlation(*store.repeats, true);
}

void arrange_ranges(Profile::Store& store, const Wanted& wanted) {
  const std::size_t threads = store.threads.thread_count();
  if (store.ranges) nest(*store.ranges, threads);
  if (store.calls && store.ranges && wanted.column(col::call_range)) attribute(*store.calls, *store.ranges, threads);
  if (store.spans) {
    store.spans->reach.assign(store.spans->rows(), 0);
    compute_reach(store.spans->start.values(), store.spans->end.values(), store.spans->reach.values());
  }
}

}  // namespace assay::load
