// Which shard of a run reads which report.
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

/// "2/4". Nothing when it is not K/N with 1 <= K <= N <= 1000000.
std::optional<ShardNumber> shard_number(std::string_view text);

/// The shard, from 1, of each file of the catalog. A cut goes between jobs of several ranks, never inside one, and the
/// shards have about equally many bytes. It depends on names, sizes and labels alone, so that every shard finds the
/// same; where ranks are known only from the traces themselves, a job may be cut, which changes no result.
std::vector<std::uint64_t> cut(const Plan& plan, const Catalog& catalog, std::uint64_t shards);

}  // namespace assay
