// Names of rocpd tables: one of AMD's words followed by the uuid of the process that wrote the table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/sqlite/schema.hpp"

namespace assay::load::rocpd {

/// Which tables of a rocpd file are read, and which others are expected.
extern const SchemaRules kRocpdTables;

/// Whether only AMD's profilers create tables with this name.
bool is_rocpd_table(std::string_view name);

/// Whether these are the tables of a rocpd file: it identifies itself and has dispatches or regions.
bool are_rocpd_tables(std::span<const std::string> names);

/// Tables created only by AMD's profilers that no schema up to 4.1.0 has.
std::vector<std::string> unknown_tables(std::span<const std::string> names);

/// The suffixes after the words in the table names, sorted without duplicates: one per process. Empty for tables
/// without a uuid.
std::vector<std::string> rocpd_suffixes(std::span<const std::string> names);

/// Maps the column `id` of a table to rows; ids are mostly consecutive.
class RowOfId {
 public:
  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  RowOfId() = default;
  explicit RowOfId(std::span<const std::int64_t> ids);
  [[nodiscard]] std::size_t find(std::int64_t id) const;

 private:
  std::int64_t first_ = 0;
  std::size_t dense_ = 0;                                     ///< number of rows with consecutive ids
  std::vector<std::pair<std::int64_t, std::size_t>> sorted_;  ///< the remaining rows
};

}  // namespace assay::load::rocpd
