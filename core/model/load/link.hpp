// Links device rows to the API calls that launched them, and calls to the ranges around them.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Sets `call` of every row of `events` to the row of the call with equal (process, correlation), kNone without one.
/// Correlation ids are unique per process only. If several calls share one (a runtime call and the driver call it
/// makes), uses the one that launches, else the first. Linear if ids are dense, as CUPTI assigns them, else n log n.
class CallLinker {
 public:
  CallLinker(const CallRows& calls, const Threads& threads);
  void link(EventRows& events) const;
  /// Fills `record` from the ids of the calls that recorded the events.
  void link_records(SyncRows& syncs) const;
  /// The call that `link` uses for an id; kNone: no call of the process has it.
  [[nodiscard]] Row first(std::uint32_t process, std::int64_t id) const {
    return process < processes_.size() ? processes_[process].find(id) : kNone;
  }
  /// Whether two calls of a process share an id.
  [[nodiscard]] bool shares_ids() const { return shared_; }
  /// Fills `calls.twin`: links the calls that share an id in a chain that begins at the one `link` uses. Leaves the
  /// column absent if none share one. `calls` are those the linker was built from.
  void fill_twins(CallRows& calls, const Threads& threads) const;

 private:
  /// Which of 64 consecutive ids belong to calls, and how many smaller ids do.
  struct Block {
    std::uint64_t ids = 0;
    std::uint32_t before = 0;
  };
  struct ProcessCalls {
    std::int64_t least = 0;
    std::vector<Block> blocks;                         ///< by (id - least) / 64; used unless ids are sparse
    std::vector<Row> rows;                             ///< of the ids in `blocks`, in id order
    std::vector<std::pair<std::int64_t, Row>> sparse;  ///< sorted; used otherwise
    /// Index in `rows` of the id `least` + `at`. Precondition: a call has it.
    [[nodiscard]] std::size_t row_index(std::uint64_t at) const;
    [[nodiscard]] Row find(std::int64_t correlation) const;
  };
  std::vector<ProcessCalls> processes_;
  bool shared_ = false;  ///< two calls of a process share an id
};

/// Fills parent and depth of push/pop ranges or operators, with a stack per thread. A row that outlives the one around
/// it is still its child, because it was pushed inside.
template <class Rows>
void nest(Rows& rows, std::size_t thread_count);

/// Fills calls.range with the innermost range on the call's thread that contains the whole call. Both are sorted by
/// start.
void attribute(CallRows& calls, const RangeRows& ranges, std::size_t thread_count);

/// Like attribute, for any nested rows and any column.
template <class Rows>
void innermost_around(const CallRows& calls, const Rows& rows, std::size_t thread_count, OwnedColumn<Row>& to);

}  // namespace assay::load
