#include "formats/sqlite/table_load.hpp"

#include <fmt/core.h>

namespace assay::load {

void TableLoad::reserve(std::size_t rows) {
  for (const Target& target : targets_) target.reserve(rows);
}

void TableLoad::expect(std::size_t rows) {
  reserve(rows);
  for (const Target& target : targets_) target.resize(rows);
}

void TableLoad::write(const Batch& batch, Order order) {
  for (std::size_t c = 0; c < targets_.size(); ++c) {
    if (targets_[c].order == order) targets_[c].write(batch.first_row, batch.cells[c].first(batch.rows));
  }
}

void TableLoad::on_batch(const Batch& batch) { write(batch, Order::kAny); }
void TableLoad::on_ordered_batch(const Batch& batch) { write(batch, Order::kOfRows); }

void TableLoad::restart() {
  expect(0);
  out_of_range_ = 0;
  for (NullCount& nulls : nulls_) nulls.rows = 0;
}

namespace {

std::string lacking(const TableInfo& table, std::initializer_list<std::string_view> columns) {
  std::string names;
  for (const std::string_view column : columns) {
    if (!table.has(column)) names.append(names.empty() ? "" : ", ").append(column);
  }
  return names;
}

}  // namespace

bool has_columns(const TableInfo& table, std::initializer_list<std::string_view> columns, std::vector<Issue>& issues) {
  const std::string names = lacking(table, columns);
  if (names.empty()) return true;
  issues.push_back({"missing_columns", Severity::kError, 0,
                    fmt::format("Table {} has no column {}, so its rows are left out; export the profile again.",
                                table.name, names)});
  return false;
}

void note_lacking(const TableInfo& table, std::initializer_list<std::string_view> columns, std::vector<Issue>& issues) {
  const std::string names = lacking(table, columns);
  if (names.empty()) return;
  issues.push_back(
      {"missing_columns", Severity::kWarning, 0,
       fmt::format("Table {} has no column {}, which every version of {} writes: what depends on it is unknown.",
                   table.name, names, table.writer)});
}

void note_misspelt(const TableInfo& table, std::span<const std::string> asked, std::vector<Issue>& issues) {
  for (const std::string& column : asked) {
    const std::string_view other = table.misspelt(column);
    if (other.empty() || std::ranges::find(asked, other) != asked.end()) continue;  // gridY is not a misspelt gridX
    issues.push_back({"damaged_schema", Severity::kError, 0,
                      fmt::format("Table {} has no column {} but one named {}: the text that describes its columns is "
                                  "damaged; copy or export the file again.",
                                  table.name, column, other)});
  }
}

void note_pages(const PageCheck& pages, const std::string& table, std::vector<Issue>& issues) {
  if (!pages.suspicion.empty()) {
    issues.push_back({"damaged_pages", Severity::kError, 0,
                      fmt::format("Rows of {} may be wrong or missing: {}; copy or export the profile again.", table,
                                  pages.suspicion)});
  }
  if (!pages.unchecked.empty()) {
    issues.push_back({"checked_less", Severity::kError, 0,
                      fmt::format("The rows of {} could not be checked as usual ({}), so damage may go unnoticed; no "
                                  "profiler writes such a table, export the profile again.",
                                  table, pages.unchecked)});
  }
}

void note_unchecked(const btree::Refusal& why, std::vector<Issue>& issues) {
  using btree::Reason;
  if (why.reason == Reason::kUnreadable || why.reason == Reason::kJournal) return;
  issues.push_back({"damaged_header", Severity::kError, 0,
                    fmt::format("The pages of the file cannot be checked because {}: rows may be wrong or missing; "
                                "copy or export the file again.",
                                why.sentence)});
}

bool has_all(const TableInfo& table, std::initializer_list<std::string_view> columns, std::string_view what,
             std::vector<Issue>& issues) {
  const auto had = std::ranges::count_if(columns, [&](std::string_view column) { return table.has(column); });
  if (had > 0 && static_cast<std::size_t>(had) < columns.size())
    issues.push_back(
        {"missing_columns", Severity::kError, 0,
         fmt::format("Table {} has some of {} but not all, so they are left out; export the profile again.", table.name,
                     what)});
  return static_cast<std::size_t>(had) == columns.size();
}

void TableLoad::run(std::vector<Issue>& issues) {
  note_misspelt(table_, asked_, issues);
  std::vector<ColumnRequest> requests;
  for (const Target& target : targets_) requests.push_back(target.request);
  const ReadOutcome outcome = read_columns(source_.tables(), table_, requests, intern_, *this);
  expect(outcome.rows);
  if (!outcome.refusal.empty()) shared_.notes.push_back(fmt::format("{}: {}", table_.name, outcome.refusal));
  const auto odd = static_cast<std::int64_t>(outcome.mistyped) + out_of_range_;
  if (odd > 0) {
    issues.push_back(
        {"bad_cells", Severity::kWarning, odd,
         fmt::format("{} cells of {} hold something other than a number, or one that cannot be; they count as missing.",
                     odd, table_.name)});
  }
  for (const NullCount& nulls : nulls_) {
    if (nulls.rows <= odd) continue;  // already reported above
    issues.push_back({"missing_cells", Severity::kError, nulls.rows,
                      fmt::format("{} of {} rows of {} have no {}, which {} always writes: what depends on it is "
                                  "unknown; record or export the profile again.",
                                  nulls.rows.load(), outcome.rows, table_.name, nulls.column, table_.writer)});
  }
  if (!outcome.damage.empty()) {
    issues.push_back({"truncated", Severity::kError, static_cast<std::int64_t>(outcome.rows),
                      fmt::format("Of {} only the first {} rows could be read: {}; export the profile again.",
                                  table_.name, outcome.rows, outcome.damage)});
  }
  note_pages(outcome.pages, table_.name, issues);
  if (has_wide_ids_) read_wide_ids_();
}

}  // namespace assay::load
