#include "formats/sqlite/open_database.hpp"

#include <filesystem>
#include <stdexcept>

#include "load/columns.hpp"
#include "load/format.hpp"

namespace assay::load {
namespace {

/// A value, or why there is none as a sentence about the file.
template <class T>
T value_of(Result<T> result, Str file, TableSink& out) {
  if (result) return std::move(*result);
  std::string text = result.error().sentence;
  const std::string& remedy = result.error().remedy;
  if (!remedy.empty() && text.ends_with("; " + remedy)) {
    text.resize(text.size() - remedy.size() - 2);
    out.advise(remedy);
  }
  for (const std::string& begin : {fmt::format("{}: ", file.view()), fmt::format("'{}' ", file.view())}) {
    if (text.starts_with(begin)) text.replace(0, begin.size(), "it ");
  }
  throw std::runtime_error(text);
}

std::set<ColumnId> wanted_of(const TableSink& out) {
  std::set<ColumnId> wanted;
  for (const ColumnInfo& column : column_infos()) {
    if (out.wants(column.id)) wanted.insert(column.id);
  }
  return wanted;
}

}  // namespace

OpenDatabase::OpenDatabase(const FormatRequest& request, TableSink& out, std::string_view format,
                           const SchemaRules& rules)
    : file_(value_of(SqliteFile::open(request.path.view(), format_named(format)->names), request.path, out)),
      pages_(btree::PageFile::open(file_.read_path())),
      db_(value_of(file_.connect(), request.path, out)),
      issues(file_.issues()),
      schema(value_of(Schema::read(db_, std::get_if<btree::PageFile>(&pages_), rules, issues), request.path, out)),
      wanted_(wanted_of(out)),
      source{db_,
             std::get_if<btree::PageFile>(&pages_),
             (request.flags & kReadBySqlite) != 0 ? Reader::kSqlite : Reader::kDirect,
             schema,
             file_.bytes(),
             WantedColumns(wanted_),
             shared,
             request.threads,
             rules.never_null} {
  note_pages(check_pages(db_, source.pages, list_of_tables()), "the list of tables", issues);
  if (source.pages != nullptr) return;
  const btree::Refusal& why = std::get<btree::Refusal>(pages_);
  note_unchecked(why, issues);
  if (source.reader == Reader::kDirect) shared.notes.push_back(why.sentence);
}

void OpenDatabase::report(TableSink& out) {
  if (const auto changed = file_.changed()) issues.push_back(*changed);
  for (const Issue& issue : issues) out.issue(issue.name, issue.severity, issue.count, issue.text);
  for (const std::string& note : shared.notes) out.note(note);
}

}  // namespace assay::load
