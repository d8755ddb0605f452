#include "tree.hpp"

#include <algorithm>

namespace assay::step {

std::vector<std::size_t> outside_in(const OpTable& ops) {
  std::int32_t deepest = 0;
  for (const std::int32_t depth : ops.depth) deepest = std::max(deepest, depth);
  std::vector<std::size_t> place(static_cast<std::size_t>(deepest) + 2, 0);
  for (const std::int32_t depth : ops.depth) ++place[static_cast<std::size_t>(depth) + 1];
  for (std::size_t d = 1; d < place.size(); ++d) place[d] += place[d - 1];
  std::vector<std::size_t> order(static_cast<std::size_t>(ops.rows));
  for (std::size_t r = 0; r < ops.rows; ++r) order[place[static_cast<std::size_t>(ops.depth[r])]++] = r;
  return order;
}

bool on_host_in_window(const Report& report, std::int64_t start, std::int64_t end) {
  const Window& window = *report.window;
  return window.named == 0 || (start >= window.host_start && end <= window.host_end);
}

std::vector<std::int64_t> device_time_by_op(const Report& report) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(report.ops->rows), 0);
  const auto add = [&](const auto* work, auto&& op_of) {
    for (std::size_t w = 0; work != nullptr && w < work->rows; ++w) {
      const Row op = work->membership[w] == Membership::kInside ? op_of(w) : kNone;
      if (op >= 0) out[static_cast<std::size_t>(op)] += work->end[w] - work->start[w];
    }
  };
  const auto of_call = [&](const auto* work) {
    add(work, [&, work](std::size_t w) {
      const bool linked = report.calls != nullptr && report.calls->op.present() && work->call[w] >= 0;
      return linked ? report.calls->op[static_cast<std::size_t>(work->call[w])] : kNone;
    });
  };
  add(report.kernels, [&](std::size_t k) { return report.kernels->op.present() ? report.kernels->op[k] : kNone; });
  of_call(report.graphs), of_call(report.copies), of_call(report.sets);
  return out;
}

}  // namespace assay::step
