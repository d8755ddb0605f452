// A file with its texts as the boundary has them.
#pragma once

#include <string>
#include <vector>

#include "load/format.hpp"

namespace assay::load {

/// What the host shows of a file. Every FormatFile that `sniff`, `identify` and `explain` of a format get is one, so
/// that a format of the program need not open a database that is open already.
struct SeenFile : FormatFile {
  explicit SeenFile(const Candidate& file) : database(file.database), path_(file.path.string()) {
    path = path_;
    size = file.size;
    head = file.head;
    if (!file.head.starts_with(sqlite::kMagic)) return;
    const sqlite::TableList& list = database.tables();
    tables_.assign(list.names.begin(), list.names.end());
    tables = tables_;
    all_tables = list.complete;
  }
  SeenFile(const SeenFile&) = delete;
  SeenFile& operator=(const SeenFile&) = delete;

  const sqlite::ForeignFile& database;

 private:
  std::string path_;
  std::vector<Str> tables_;
};

}  // namespace assay::load
