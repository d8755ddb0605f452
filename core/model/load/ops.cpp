#include "load/ops.hpp"

#include <algorithm>

#include "load/link.hpp"

namespace assay::load {
namespace {

/// Operators and annotations by External id.
class ByExternalId {
 public:
  explicit ByExternalId(const OpRows& ops) {
    for (std::size_t r = 0; r < ops.rows(); ++r) {
      if (ops.external_id[r] > 0) rows_.emplace_back(ops.external_id[r], static_cast<Row>(r));
    }
    std::sort(rows_.begin(), rows_.end());
  }
  /// First row with that id; kNone: none.
  [[nodiscard]] Row find(std::int64_t id) const {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), std::pair(id, Row{0}));
    return at != rows_.end() && at->first == id ? at->second : kNone;
  }

 private:
  std::vector<std::pair<std::int64_t, Row>> rows_;
};

/// The first of a row and its ancestors that is not a Python function. Halves paths as it walks them, so that deep
/// stacks cost little.
class OutsidePython {
 public:
  explicit OutsidePython(const OpRows& ops) : next_(ops.rows()) {
    for (std::size_t r = 0; r < ops.rows(); ++r) {
      next_[r] = ops.kind[r] == OpKind::kPythonFunction ? ops.parent[r] : static_cast<Row>(r);
    }
  }
  Row node_of(Row row) {
    while (row != kNone) {
      Row& next = next_[static_cast<std::size_t>(row)];
      if (next == row) break;
      if (next != kNone) next = next_[static_cast<std::size_t>(next)];
      row = next;
    }
    return row;
  }

 private:
  std::vector<Row> next_;
};

void link_calls(CallRows& calls, const OpRows& ops, const ByExternalId& ids, std::size_t threads) {
  innermost_around(calls, ops, threads, calls.op);
  OutsidePython outside(ops);
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    const Row named = calls.external_id[c] > 0 ? ids.find(calls.external_id[c]) : kNone;
    const auto at = static_cast<std::size_t>(named);
    const bool fits = named != kNone && ops.thread[at] == calls.thread[c] && ops.start[at] <= calls.end[c] &&
                      ops.end[at] >= calls.start[c];
    Row& op = calls.op.values()[c];
    op = fits ? named : outside.node_of(op);
  }
}

/// `stated`: the id of a kernel names its operator, whatever surrounds the launch.
void link_kernels(KernelRows& kernels, const Profile::Store& store, const ByExternalId& ids, bool stated) {
  const OpRows& ops = *store.ops;
  kernels.op.assign(kernels.rows(), kNone);
  for (std::size_t k = 0; k < kernels.rows(); ++k) {
    const Row call = kernels.call[k];
    Row& op = kernels.op.values()[k];
    if (stated && kernels.external_id[k] > 0) op = ids.find(kernels.external_id[k]);
    if (op != kNone) continue;
    if (call != kNone) {
      op = store.calls->op[static_cast<std::size_t>(call)];
      continue;
    }
    const Row named = kernels.external_id[k] > 0 ? ids.find(kernels.external_id[k]) : kNone;
    if (named != kNone && ops.start[static_cast<std::size_t>(named)] <= kernels.start[k]) op = named;
  }
}

}  // namespace

void link_ops(Profile::Store& store, bool stated) {
  const auto none = [](auto& rows) {
    if (rows) rows->op.assign(rows->rows(), kNone);
  };
  if (!store.ops) {
    none(store.calls);
    return none(store.kernels);
  }
  const ByExternalId ids(*store.ops);
  if (store.calls) link_calls(*store.calls, *store.ops, ids, store.threads.thread_count());
  if (store.kernels) link_kernels(*store.kernels, store, ids, stated);
}

}  // namespace assay::load
