#include "launches.hpp"

#include "rows.hpp"

namespace assay::nsys {
namespace {

/// Calls `use(op, call)` for every pair of work and a call with its id; `twins` false: only for the call that launched
/// it.
template <class Use>
void each_pair(const Work& work, const CallTable& calls, bool twins, Use&& use) {
  work.each([&](Op op, Row call) {
    if (call == kNone) return;
    use(op, call);
    if (!twins) return;
    for (Row twin = calls.twin[at(call)]; twin != kNone; twin = calls.twin[at(twin)]) use(op, twin);
  });
}

/// Number of additional pairs from calls that share an id; stops counting when there are too many to list.
std::uint64_t added_pairs(const Work& work, const CallTable& calls) {
  std::uint64_t added = 0;
  work.each([&](Op, Row call) {
    if (call == kNone || added > kMaxVisits) return;
    for (Row twin = calls.twin[at(call)]; twin != kNone && added <= kMaxVisits; twin = calls.twin[at(twin)]) ++added;
  });
  return added;
}

}  // namespace

Work::Work(const Report& report, bool graphs) : report_(report), with_graphs_(graphs) {
  copies_ = static_cast<Op>(report.kernels == nullptr ? 0 : report.kernels->rows);
  sets_ = copies_ + static_cast<Op>(report.copies == nullptr ? 0 : report.copies->rows);
  graphs_ = sets_ + static_cast<Op>(report.sets == nullptr ? 0 : report.sets->rows);
}

Launches::Launches(const Report& report, bool once, bool graphs) : work_(report, graphs) {
  const CallTable& calls = *report.calls;
  bool twins = !once && calls.twin.present();
  if (twins) {
    const std::uint64_t added = added_pairs(work_, calls);
    twins = added <= kMaxVisits / 8;
    repeated_ = twins ? static_cast<std::int64_t>(added) : 0;
    too_many_repeated_ = !twins;
  }

  // Counting sort by call, whose rows are sorted by start, then a stable one by thread.
  std::vector<std::uint32_t> next(calls.rows + 1, 0);
  each_pair(work_, calls, twins, [&](Op, Row call) { ++next[at(call) + 1]; });
  for (std::size_t c = 0; c < calls.rows; ++c) next[c + 1] += next[c];
  std::vector<Launch> by_call(next.back());
  each_pair(work_, calls, twins, [&](Op op, Row call) { by_call[next[at(call)]++] = {call, op}; });
  work_.each([&](Op op, Row call) { unlinked_kernels_ += work_.is_kernel(op) && call == kNone ? 1 : 0; });
  std::vector<std::uint32_t>().swap(next);

  const std::size_t threads = report.threads->rows;
  first_.assign(threads + 1, 0);
  for (const Launch& launch : by_call) ++first_[calls.thread[at(launch.call)] + 1];
  for (std::size_t t = 0; t < threads; ++t) first_[t + 1] += first_[t];
  std::vector<std::size_t> place(first_.begin(), first_.end() - 1);
  std::vector<std::int64_t> last_end(threads, std::numeric_limits<std::int64_t>::min());
  in_step_.assign(threads, 1);
  launches_.resize(by_call.size());
  for (const Launch& launch : by_call) {
    const std::uint32_t thread = calls.thread[at(launch.call)];
    launches_[place[thread]++] = launch;
    const std::int64_t end = calls.end[at(launch.call)];
    if (end < last_end[thread]) in_step_[thread] = 0;
    last_end[thread] = end;
  }
}

}  // namespace assay::nsys
