#include "load/operator_kernels.hpp"

#include <algorithm>
#include <unordered_map>

namespace assay::load {

std::vector<std::pair<Row, std::size_t>> launched_kernels(const Profile::Store& store) {
  std::vector<std::pair<Row, std::size_t>> launched;
  if (!store.kernels || !store.kernels->call.present()) return launched;
  for (std::size_t k = 0; k < store.kernels->rows(); ++k) {
    const Row call = store.kernels->call[k];
    if (call >= 0 && store.calls->kind[static_cast<std::size_t>(call)] == CallKind::kKernelLaunch)
      launched.emplace_back(call, k);
  }
  std::ranges::sort(launched);
  return launched;
}

OperatorKernels::OperatorKernels(const Profile::Store& store, StringPool& strings) : store_(store) {
  if (!store.kernels || !store.kernels->name.present()) return;
  std::unordered_map<Row, std::size_t> places;
  for (const auto& [call, kernel] : launched_kernels(store)) {
    const Row op = store.calls->op[static_cast<std::size_t>(call)];
    if (op >= 0) ran_[signature(op, places[op]++)].insert(strings.intern(store.strings[store.kernels->name[kernel]]));
  }
}

std::size_t OperatorKernels::contradicted(std::span<const Row> ops, std::span<const StringId> kernels) const {
  if (!store_.ops->input_dims.present()) return kernels.size();
  std::map<LaunchSignature, StringId> seen;
  std::unordered_map<Row, std::size_t> places;
  std::size_t count = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (ops[i] < 0) continue;
    const LaunchSignature launch = signature(ops[i], places[ops[i]]++);
    const auto ran = ran_.find(launch);
    const bool other = ran != ran_.end() && !ran->second.contains(kernels[i]);
    count += other || seen.emplace(launch, kernels[i]).first->second != kernels[i] ? 1U : 0U;
  }
  return count;
}

LaunchSignature OperatorKernels::signature(Row op, std::size_t place) const {
  const OpRows& ops = *store_.ops;
  const auto row = static_cast<std::size_t>(op);
  const auto text = [row](const OwnedColumn<StringId>& column) { return column.present() ? column[row] : StringId{0}; };
  return {ops.name[row], text(ops.input_dims), text(ops.input_types), text(ops.input_strides), place};
}

}  // namespace assay::load
