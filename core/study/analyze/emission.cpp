#include "analyze/emission.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace assay {

void ErrorText::fail(Str sentence) noexcept {
  try {
    if (text_.empty()) text_ = text_of(sentence);
  } catch (...) {  // out of memory: the failure remains, without a text
  }
}

std::optional<std::string> failure(bool came_through, const ErrorText& errors, const Refusal& refusal) {
  if (refusal.any()) return refusal.sentence();
  if (!came_through) return errors.sentence();
  return std::nullopt;
}

std::string fact_name(const Fact& fact) {
  return fmt::format("'{}'{}", fact.metric, fact.dims.empty() ? std::string() : " [" + fact.dims + "]");
}

FactAnswer accept_fact(const Descriptor& declared, Refusal& refusal, Str metric, Span<Dim> dims, double value,
                       Span<double> samples) {
  Fact fact;
  fact.metric = text_of(metric);
  fact.value = value;
  const bool known = std::ranges::any_of(declared.produces, [&](const MetricSpec& m) { return m.id == fact.metric; });
  const auto refuse = [&](Emit answer, const std::string& problem) {
    return FactAnswer{refusal.refuse(answer, fmt::format("the fact {} {}", fact_name(fact), problem)), {}};
  };
  if (!known) return refuse(Emit::kUndeclared, "was not declared; add it to kProduces");
  if (!readable(dims) || !readable(samples)) return refuse(Emit::kMalformed, "has dims or samples that cannot be read");
  std::optional<std::string> canonical = canonical_dims(dims);
  if (!canonical) return refuse(Emit::kMalformed, "has an empty or repeated dim key");
  fact.dims = std::move(*canonical);
  fact.samples.assign(samples.begin(), samples.end());
  const bool finite = std::isfinite(value) && std::ranges::all_of(samples, [](double s) { return std::isfinite(s); });
  if (!finite)
    return refuse(Emit::kNotFinite,
                  "has a value or sample that is not a finite number; emit a skip with the reason instead");
  return {Emit::kOk, std::move(fact)};
}

namespace {

/// Whether exactly the array of its type is filled.
bool fits_its_type(const ColumnView& view) {
  if (!readable(view.texts) || !readable(view.integers) || !readable(view.numbers)) return false;
  const bool text = view.type == CellType::kText, integer = view.type == CellType::kInteger,
             number = view.type == CellType::kNumber;
  return (text || integer || number) && (text || view.texts.empty()) && (integer || view.integers.empty()) &&
         (number || view.numbers.empty());
}

std::uint64_t rows_of(const ColumnView& view) {
  return std::max({view.texts.size, view.integers.size, view.numbers.size});
}

OwnedTable::Column copy_column(const ColumnView& view) {
  OwnedTable::Column column;
  column.name = text_of(view.name);
  column.unit = text_of(view.unit);
  column.type = view.type;
  column.texts.reserve(static_cast<std::size_t>(view.texts.size));
  for (const Str cell : view.texts) column.texts.push_back(text_of(cell));
  column.integers.assign(view.integers.begin(), view.integers.end());
  column.numbers.assign(view.numbers.begin(), view.numbers.end());
  return column;
}

}  // namespace

std::string read_columns(const TableView& from, std::vector<ColumnView>& to) {
  const Span<ColumnView> columns = from.columns;
  if (from.column_size < kFirstColumnView) return "has columns smaller than the first version of ColumnView";
  if (columns.empty() || !readable(columns)) return "has no columns";
  std::set<std::string> names;
  for (std::uint64_t c = 0; c < columns.size; ++c) {
    const ColumnView view = element(columns, from.column_size, c);
    const std::string name = text_of(view.name);
    if (!fits_its_type(view)) return "has the column '" + name + "' whose cells do not fit its type";
    if (name.empty()) return "has no name for column " + std::to_string(c + 1);
    if (!names.insert(name).second) return "has two columns named '" + name + "'";
    if (c > 0 && rows_of(view) != rows_of(to.front())) return "is ragged: the column '" + name + "' has another length";
    to.push_back(view);
  }
  return {};
}

bool append_rows(OwnedTable& to, OwnedTable more) {
  const auto same = [](const OwnedTable::Column& a, const OwnedTable::Column& b) {
    return a.name == b.name && a.unit == b.unit && a.type == b.type;
  };
  if (!std::ranges::equal(to.columns, more.columns, same)) return false;
  for (std::size_t c = 0; c < to.columns.size(); ++c) {
    OwnedTable::Column &column = to.columns[c], &from = more.columns[c];
    std::move(from.texts.begin(), from.texts.end(), std::back_inserter(column.texts));
    column.integers.insert(column.integers.end(), from.integers.begin(), from.integers.end());
    column.numbers.insert(column.numbers.end(), from.numbers.begin(), from.numbers.end());
  }
  return true;
}

std::string copy_table(const TableView* view, OwnedTable& to) {
  const std::optional<TableView> known = read_view(view, kFirstTableView);
  if (!known) return "is smaller than the first version of TableView";
  to.id = text_of(known->id);
  to.title = text_of(known->title);
  if (to.id.empty()) return "has no id";
  std::vector<ColumnView> columns;
  if (std::string problem = read_columns(*known, columns); !problem.empty()) return problem;
  for (const ColumnView& column : columns) to.columns.push_back(copy_column(column));
  return {};
}

Emit accept_table(const TableView* view, const Descriptor& by, Refusal& refusal, std::set<std::string>& ids,
                  std::vector<OwnedTable>& tables) {
  OwnedTable table;
  table.analyzer = text_of(by.id);
  const auto refuse = [&](Emit answer, const std::string& problem) {
    return refusal.refuse(answer, (table.id.empty() ? "a table" : "the table '" + table.id + "'") + " " + problem);
  };
  if (std::string problem = copy_table(view, table); !problem.empty()) return refuse(Emit::kMalformed, problem);
  if (!ids.insert(table.id).second) return refuse(Emit::kDuplicate, "was emitted twice");
  tables.push_back(std::move(table));
  return Emit::kOk;
}

void sort_facts(std::vector<Fact>& facts) {
  std::ranges::sort(
      facts, [](const Fact& a, const Fact& b) { return std::tie(a.metric, a.dims) < std::tie(b.metric, b.dims); });
}

}  // namespace assay
