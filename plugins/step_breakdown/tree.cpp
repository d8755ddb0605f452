#include "tree.hpp"

namespace assay::step {

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
