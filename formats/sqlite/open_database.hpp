// A database that a format loads.
#pragma once

#include <set>

#include "assay/format.hpp"
#include "formats/sqlite/table_load.hpp"

namespace assay::load {

/// Opens a file, checks its pages, and reads the list of its tables.
class OpenDatabase {
 public:
  /// `format`: its word. Throws std::runtime_error, whose text says why the file cannot be read: "it is ...".
  OpenDatabase(const FormatRequest& request, TableSink& out, std::string_view format, const SchemaRules& rules);
  OpenDatabase(const OpenDatabase&) = delete;
  OpenDatabase& operator=(const OpenDatabase&) = delete;

  /// Gives the host what was found wrong with the file.
  void report(TableSink& out);

 private:
  SqliteFile file_;
  // Opened before the schema is read, so that a change of the file in between is noticed.
  btree::Outcome<btree::PageFile> pages_;
  Connection db_;

 public:
  std::vector<Issue> issues;
  const Schema schema;
  SharedNumbering shared;

 private:
  std::set<ColumnId> wanted_;

 public:
  const Source source;
};

}  // namespace assay::load
