// A profile that lost rows of every table, as damage does: what refers to a dropped row refers to none.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <vector>

#include "load/every_column.hpp"
#include "load/format.hpp"
#include "load/load.hpp"
#include "load/row_references.hpp"
#include "load/stored_columns.hpp"

namespace assay::fuzz {

/// Drops a quarter of the rows of each table in turn, by a sequence that begins with `seed`. Ends the program if a cell
/// then refers to a row that is not there. Empty: nothing can be read.
inline std::optional<Profile> with_dropped_rows(const std::filesystem::path& file, FileKind kind, std::uint64_t seed) {
  static const std::set<ColumnId> columns = every_column();
  const load::WantedColumns wanted(columns);
  auto store = load::format_of(kind)->load({file, "fuzzed", wanted, 1, Reader::kDirect, {}});
  if (!store) return std::nullopt;
  load::each_fillable(**store, [&](auto, ColumnId, std::string_view, auto& rows) {
    if (!rows) return;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t row = 0; row < rows->rows(); ++row) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      if (seed >> 62U != 0) kept.push_back(row);
    }
    load::keep_rows(**store, rows, kept);
  });
  const std::size_t issues = (*store)->issues.size();
  load::bound_references(**store);
  if ((*store)->issues.size() != issues) std::abort();
  return Profile(std::move(*store));
}

}  // namespace assay::fuzz
