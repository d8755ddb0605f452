#include "load/nsys/table_load.hpp"

namespace assay::load {

void TableLoad::take(const Batch& batch) {
  const std::scoped_lock lock(shared_.mutex);
  for (std::size_t c = 0; c < targets_.size(); ++c) targets_[c].append(batch.cells[c].first(batch.rows));
}

void TableLoad::restart() {
  for (const Target& target : targets_) target.clear();
  out_of_range_ = 0;
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
                    concat("Table ", table.name, " has no column ", names,
                           ", so that its rows are left out; export the report again.")});
  return false;
}

void note_lacking(const TableInfo& table, std::initializer_list<std::string_view> columns, std::vector<Issue>& issues) {
  const std::string names = lacking(table, columns);
  if (names.empty()) return;
  issues.push_back({"missing_columns", Severity::kWarning, 0,
                    concat("Table ", table.name, " has no column ", names,
                           ", which every version of nsys writes: what rests on it is not known.")});
}

void note_misspelt(const TableInfo& table, std::span<const std::string> asked, std::vector<Issue>& issues) {
  for (const std::string& column : asked) {
    const std::string_view other = table.misspelt(column);
    if (other.empty() || std::ranges::find(asked, other) != asked.end()) continue;  // gridY is not gridX misspelt
    issues.push_back({"damaged_schema", Severity::kError, 0,
                      concat("Table ", table.name, " has no column ", column, " but one named ", other,
                             ": the text that describes its columns is damaged; copy or export the file again.")});
  }
}

void note_suspicion(const std::string& suspicion, const std::string& table, std::vector<Issue>& issues) {
  if (suspicion.empty()) return;
  issues.push_back(
      {"damaged_pages", Severity::kError, 0,
       concat("Rows of ", table, " may be wrong or missing: ", suspicion, "; copy or export the report again.")});
}

void TableLoad::run(std::vector<Issue>& issues) {
  note_misspelt(table_, asked_, issues);
  const std::uint64_t bound = row_bound(source_.db, table_, source_.file_bytes);
  std::vector<ColumnRequest> requests;
  for (const Target& target : targets_) {
    target.reserve(static_cast<std::size_t>(bound));
    requests.push_back(target.request);
  }
  StringPool unused;
  const ReadOutcome outcome = read_columns(source_.db, source_.pages, source_.reader, table_, requests, bound,
                                           pool_ != nullptr ? *pool_ : unused, *this);
  if (!outcome.refusal.empty()) shared_.note(concat(table_.name, ": ", outcome.refusal));
  const auto odd = static_cast<std::int64_t>(outcome.mistyped) + out_of_range_;
  if (odd > 0) {
    issues.push_back({"bad_cells", Severity::kWarning, odd,
                      concat(odd, " cells of ", table_.name,
                             " hold something else than the number that belongs there; they count as missing.")});
  }
  if (!outcome.damage.empty()) {
    issues.push_back({"truncated", Severity::kError, static_cast<std::int64_t>(outcome.rows),
                      concat("Of ", table_.name, " only the first ", outcome.rows,
                             " rows could be read: ", outcome.damage, "; export the report again.")});
  }
  note_suspicion(outcome.suspicion, table_.name, issues);
}

}  // namespace assay::load
