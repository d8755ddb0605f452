// Names of rocpd's tables: each is one of AMD's words and, behind it, the uuid of the process that wrote it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/sqlite/schema.hpp"

namespace assay::load::rocpd {

/// Which tables of a rocpd file are read, and what may stand beside them.
extern const SchemaRules kRocpdTables;

/// Whether only AMD's profilers make tables of that name.
bool is_rocpd_table(std::string_view name);

/// Whether tables of these names are those of a rocpd file: it says what it is and holds dispatches or regions.
bool are_rocpd_tables(std::span<const std::string> names);

/// Tables that only AMD's profilers make and no schema up to 4.1.0 has.
std::vector<std::string> unknown_tables(std::span<const std::string> names);

/// What stands behind the words in the names of the tables, each once, sorted: one a process. Empty for tables that
/// have no uuid.
std::vector<std::string> rocpd_suffixes(std::span<const std::string> names);

/// The row of a table by the number in its column `id`, which mostly counts up by one.
class RowOfId {
 public:
  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  RowOfId() = default;
  explicit RowOfId(std::span<const std::int64_t> ids);
  [[nodiscard]] std::size_t find(std::int64_t id) const;

 private:
  std::int64_t first_ = 0;
  std::size_t dense_ = 0;                                     ///< rows, where ids count up by one
  std::vector<std::pair<std::int64_t, std::size_t>> sorted_;  ///< where they do not
};

}  // namespace assay::load::rocpd
