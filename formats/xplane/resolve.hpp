// Finds the instruction and program of each row of work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "alignment.hpp"
#include "hlo.hpp"
#include "operators.hpp"

namespace assay::xplane {

/// The operator of a row of work.
struct ResolvedOperator {
  TextId name = 0, path = 0;            ///< name 0: unknown
  std::int32_t order = kNoInstruction;  ///< index of the instruction in its program; -1: unknown
  std::uint32_t program = 0;            ///< number of the program; 0: unknown
};

/// The rows of work for which `keep` is true, by `key` and file order; streams are mostly in order.
template <class Keep, class Key>
std::vector<std::uint32_t> work_in_order(const Profile& profile, Keep&& keep, Key&& key) {
  std::vector<std::uint32_t> rows;
  for (std::size_t w = 0; w < profile.work.size(); ++w) {
    if (keep(profile.work[w])) rows.push_back(static_cast<std::uint32_t>(w));
  }
  const auto key_of = [&](std::uint32_t w) { return key(profile.work[w]); };
  if (!std::ranges::is_sorted(rows, {}, key_of)) std::ranges::stable_sort(rows, {}, key_of);
  return rows;
}

/// Resolves all rows of work; adds those resolved by order to `counts`.
std::vector<ResolvedOperator> resolve_operators(Profile& profile, Operators& counts);

}  // namespace assay::xplane
