// Device rows to the API calls that launched them, and calls to the ranges around them.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Sets `call` of every row of `events` to the row of the call with equal (process, correlation), -1 where there is
/// none. Correlation ids are unique per process only. Several calls may share one (a runtime call and the driver call
/// it makes): the one that launches is taken, of equals the first. Linear when ids are anywhere near each other, as
/// CUPTI hands them out, else n log n.
class CallLinker {
 public:
  CallLinker(const CallRows& calls, const Threads& threads);
  void link(EventRows& events) const;
  /// Fills `record` from the ids of the calls that recorded the events.
  void link_records(SyncRows& syncs) const;
  /// The call that `link` takes for an id; kNone: no call of the process has it.
  [[nodiscard]] Row first(std::uint32_t process, std::int64_t id) const {
    return process < processes_.size() ? processes_[process].find(id) : kNone;
  }
  /// Whether two calls of a process have one id.
  [[nodiscard]] bool shares_ids() const { return shared_; }
  /// Fills `calls.twin`: of calls that share an id a chain that begins at the one that `link` takes. Leaves the column
  /// absent where no two share one. `calls` are those that the linker was made from.
  void fill_twins(CallRows& calls, const Threads& threads) const;

 private:
  /// Which of 64 ids in a row are those of calls, and how many smaller ids are.
  struct Block {
    std::uint64_t ids = 0;
    std::uint32_t before = 0;
  };
  struct ProcessCalls {
    std::int64_t least = 0;
    std::vector<Block> blocks;                         ///< by (id - least) / 64; used unless ids lie far apart
    std::vector<Row> rows;                             ///< of the ids in `blocks`, in their order
    std::vector<std::pair<std::int64_t, Row>> sparse;  ///< sorted; used otherwise
    /// In `rows`, of the id `least` + `at`, which a call has.
    [[nodiscard]] std::size_t row_index(std::uint64_t at) const;
    [[nodiscard]] Row find(std::int64_t correlation) const;
  };
  std::vector<ProcessCalls> processes_;
  bool shared_ = false;  ///< two calls of a process have one id
};

/// Fills parent and depth of push/pop ranges or operators, thread by thread with a stack. A row that outlives the one
/// around it is its child all the same: it was pushed inside.
template <class Rows>
void nest(Rows& rows, std::size_t thread_count);

/// Fills calls.range with the innermost range that wholly contains the call on its thread. Both are sorted by start.
void attribute(CallRows& calls, const RangeRows& ranges, std::size_t thread_count);

/// The same for any nested rows, into any column.
template <class Rows>
void innermost_around(const CallRows& calls, const Rows& rows, std::size_t thread_count, OwnedColumn<Row>& to);

}  // namespace assay::load
