// Assigns reports to the shards of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// The `number`-th of `of` shards, from 1.
struct ShardNumber {
  std::uint64_t number = 1, of = 1;
  [[nodiscard]] std::string str() const { return std::to_string(number) + "/" + std::to_string(of); }
  friend bool operator==(const ShardNumber&, const ShardNumber&) = default;
};

/// Parses "2/4". Empty if it is not K/N with 1 <= K <= N <= 1000000.
std::optional<ShardNumber> shard_number(std::string_view text);

/// The shard, from 1, of each file of the catalog. Shards have about equally many bytes, and jobs of several ranks are
/// not split. The result depends only on names, sizes and labels, so every shard computes the same; if ranks are known
/// only from the traces themselves, a job may be split, which changes no result.
std::vector<std::uint64_t> cut(const Plan& plan, const Catalog& catalog, std::uint64_t shards);

}  // namespace assay
