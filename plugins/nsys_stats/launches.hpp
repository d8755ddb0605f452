// GPU work by launching API call, thread by thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/report.hpp"

namespace assay::nsys {

/// Limit on joining or visiting rows, which stops reports on hostile files: far above what real ones need, a second or
/// two of work.
inline constexpr std::uint64_t kMaxVisits = std::uint64_t{1} << 28;

/// Number of a piece of GPU work: kernels first, then copies, sets and graph launches traced as a whole, each in the
/// order of its table.
using Op = std::uint32_t;

/// The kernels, copies and sets of a report in one numbering; with `graphs` also its graph launches, which nsys
/// ignores.
class Work {
 public:
  explicit Work(const Report& report, bool graphs = false);

  [[nodiscard]] bool is_kernel(Op op) const { return op < copies_; }
  [[nodiscard]] std::int64_t start(Op op) const {
    return op < copies_   ? report_.kernels->start[op]
           : op < sets_   ? report_.copies->start[op - copies_]
           : op < graphs_ ? report_.sets->start[op - sets_]
                          : report_.graphs->start[op - graphs_];
  }
  [[nodiscard]] std::int64_t end(Op op) const {
    return op < copies_   ? report_.kernels->end[op]
           : op < sets_   ? report_.copies->end[op - copies_]
           : op < graphs_ ? report_.sets->end[op - sets_]
                          : report_.graphs->end[op - graphs_];
  }
  /// Calls `use(op, call)` for every piece of work in the window; call is -1 if it has none.
  template <class Use>
  void each(Use&& use) const {
    each_of(report_.kernels, 0, use);
    each_of(report_.copies, copies_, use);
    each_of(report_.sets, sets_, use);
    if (with_graphs_) each_of(report_.graphs, graphs_, use);
  }
  [[nodiscard]] bool counts_graphs() const { return with_graphs_; }

 private:
  template <class Events, class Use>
  static void each_of(const Events* events, Op first, Use&& use) {
    if (events == nullptr) return;
    for (std::size_t row = 0; row < events->rows; ++row) {
      if (events->membership[row] == Membership::kInside) use(first + static_cast<Op>(row), events->call[row]);
    }
  }

  const Report& report_;
  bool with_graphs_;
  Op copies_ = 0, sets_ = 0, graphs_ = 0;  ///< first number of each
};

struct Launch {
  Row call;
  Op op;
};

/// Every pair of a call and its work. If calls of a process share a correlation id (calls.twin), the work counts for
/// each of them, as in nsys, or only for the one that launched it.
class Launches {
 public:
  /// Needs `calls`.
  explicit Launches(const Report& report, bool once = false, bool graphs = false);

  [[nodiscard]] const Work& work() const { return work_; }
  /// Sorted by the start of the call.
  [[nodiscard]] std::span<const Launch> of_thread(std::size_t thread) const {
    return {launches_.data() + first_[thread], first_[thread + 1] - first_[thread]};
  }
  [[nodiscard]] std::span<const Launch> all() const { return launches_; }
  [[nodiscard]] std::size_t offset(std::size_t thread) const { return first_[thread]; }
  /// Whether the calls of the thread's launches also end in the order in which they start: then the calls inside a
  /// range are one slice.
  [[nodiscard]] bool in_step(std::size_t thread) const { return in_step_[thread] != 0; }
  [[nodiscard]] std::int64_t unlinked_kernels() const { return unlinked_kernels_; }
  /// Additional pairs of a piece of work because calls share an id.
  [[nodiscard]] std::int64_t repeated() const { return repeated_; }
  /// There are too many additional pairs, so they were omitted.
  [[nodiscard]] bool too_many_repeated() const { return too_many_repeated_; }

 private:
  Work work_;
  std::vector<Launch> launches_;
  std::vector<std::size_t> first_;  ///< by thread
  std::vector<char> in_step_;
  std::int64_t unlinked_kernels_ = 0, repeated_ = 0;
  bool too_many_repeated_ = false;
};

}  // namespace assay::nsys
