// Kernels that operators launch: identifies whether launches without kernel names are those of a replay.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "load/store.hpp"

namespace assay::load {

/// A launch within its operator: name, dims, types and strides, and the index among the launches of the operator.
using LaunchSignature = std::tuple<StringId, StringId, StringId, StringId, std::size_t>;

/// Kernels that calls launched one by one, outside of graphs: call and kernel, by call.
std::vector<std::pair<Row, std::size_t>> launched_kernels(const Profile::Store& store);

class OperatorKernels {
 public:
  /// Collects the kernels that ran outside of graphs. `store` must outlive it; adds names to `strings`.
  OperatorKernels(const Profile::Store& store, StringPool& strings);

  /// How many of `kernels` contradict their operators, `ops` in the same order: the same operator with the same shapes
  /// launches another kernel at that index outside of graphs, or elsewhere in the stretch. All of them if the file has
  /// no shapes, without which operators prove too little.
  [[nodiscard]] std::size_t contradicted(std::span<const Row> ops, std::span<const StringId> kernels) const;

 private:
  [[nodiscard]] LaunchSignature signature(Row op, std::size_t place) const;

  const Profile::Store& store_;
  std::map<LaunchSignature, std::set<StringId>> ran_;
};

}  // namespace assay::load
