// Which kernels operators launch: what tells whether launches that name no kernels are those of a replay.
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

/// A launch as its operator has it: name, dims, types and strides, and its place among the launches of the operator.
using LaunchSignature = std::tuple<StringId, StringId, StringId, StringId, std::size_t>;

/// Kernels that launching calls ran one by one, outside of graphs: call and kernel, by call.
std::vector<std::pair<Row, std::size_t>> launched_kernels(const Profile::Store& store);

class OperatorKernels {
 public:
  /// Learns from the kernels that ran outside of graphs. `store` must outlive it; names become texts of `strings`.
  OperatorKernels(const Profile::Store& store, StringPool& strings);

  /// How many of `kernels` their operators, `ops` in the same order, do not launch: the same operator with the same
  /// shapes launches another one in its place outside of graphs, or elsewhere in the stretch. All of them if the file
  /// has no shapes, without which operators say too little.
  [[nodiscard]] std::size_t contradicted(std::span<const Row> ops, std::span<const StringId> kernels) const;

 private:
  [[nodiscard]] LaunchSignature signature(Row op, std::size_t place) const;

  const Profile::Store& store_;
  std::map<LaunchSignature, std::set<StringId>> ran_;
};

}  // namespace assay::load
