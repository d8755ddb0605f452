#include "analyze/emission.hpp"

#include <cmath>
#include <tuple>

namespace assay {

void ErrorText::fail(Str sentence) noexcept {
  try {
    if (text_.empty()) text_ = text_of(sentence);
  } catch (...) {  // out of memory: the failure stands without its text
  }
}

std::optional<std::string> failure(bool came_through, const ErrorText& errors, const Refusal& refusal) {
  if (refusal.any()) return refusal.sentence();
  if (!came_through) return errors.sentence();
  return std::nullopt;
}

std::string fact_name(const Fact& fact) {
  return "'" + fact.metric + "'" + (fact.dims.empty() ? std::string() : " [" + fact.dims + "]");
}

FactAnswer accept_fact(const Descriptor& declared, Refusal& refusal, Str metric, Span<Dim> dims, double value,
                       Span<double> samples) {
  Fact fact;
  fact.metric = text_of(metric);
  fact.value = value;
  const bool known = std::any_of(declared.produces.begin(), declared.produces.end(),
                                 [&](const MetricSpec& m) { return m.id == fact.metric; });
  const auto refuse = [&](Emit answer, const std::string& problem) {
    return FactAnswer{refusal.refuse(answer, "the fact " + fact_name(fact) + " " + problem), {}};
  };
  if (!known) return refuse(Emit::kUndeclared, "was not declared; add it to kProduces");
  if (!readable(dims) || !readable(samples)) return refuse(Emit::kMalformed, "has dims or samples that cannot be read");
  std::optional<std::string> canonical = canonical_dims(dims);
  if (!canonical) return refuse(Emit::kMalformed, "has an empty or repeated dim key");
  fact.dims = std::move(*canonical);
  fact.samples.assign(samples.begin(), samples.end());
  const bool finite =
      std::isfinite(value) && std::all_of(samples.begin(), samples.end(), [](double s) { return std::isfinite(s); });
  if (!finite)
    return refuse(Emit::kNotFinite,
                  "has a value or sample that is not a finite number; emit a skip with the reason instead");
  return {Emit::kOk, std::move(fact)};
}

namespace {

/// The owned copy of a column, or nothing when not exactly the array of its type is filled.
std::optional<OwnedTable::Column> copy_column(const ColumnView& view) {
  if (!readable(view.texts) || !readable(view.integers) || !readable(view.numbers)) return std::nullopt;
  const bool text = view.type == CellType::kText, integer = view.type == CellType::kInteger,
             number = view.type == CellType::kNumber;
  if (!text && !integer && !number) return std::nullopt;
  if ((!text && !view.texts.empty()) || (!integer && !view.integers.empty()) || (!number && !view.numbers.empty())) {
    return std::nullopt;
  }
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

/// What is wrong with the columns as they are added to `table`; empty when nothing is.
std::string copy_columns(const TableView& from, OwnedTable& table) {
  const Span<ColumnView> columns = from.columns;
  if (from.column_size < kFirstColumnView) return "has columns smaller than the first version of ColumnView";
  if (columns.empty() || !readable(columns)) return "has no columns";
  std::set<std::string> names;
  for (std::uint64_t c = 0; c < columns.size; ++c) {
    const ColumnView view = element(columns, from.column_size, c);
    std::optional<OwnedTable::Column> column = copy_column(view);
    if (!column) return "has the column '" + text_of(view.name) + "' whose cells do not fit its type";
    if (column->name.empty() || !names.insert(column->name).second) return "has an unnamed column or two of one name";
    const std::size_t rows = std::max({column->texts.size(), column->integers.size(), column->numbers.size()});
    if (!table.columns.empty() && rows != table.rows())
      return "is ragged: the column '" + column->name + "' has another length";
    table.columns.push_back(std::move(*column));
  }
  return {};
}

}  // namespace

std::string copy_table(const TableView* view, OwnedTable& to) {
  const std::optional<TableView> known = read_view(view, kFirstTableView);
  if (!known) return "is smaller than the first version of TableView";
  to.id = text_of(known->id);
  to.title = text_of(known->title);
  if (to.id.empty()) return "has no id";
  return copy_columns(*known, to);
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
  std::sort(facts.begin(), facts.end(),
            [](const Fact& a, const Fact& b) { return std::tie(a.metric, a.dims) < std::tie(b.metric, b.dims); });
}

}  // namespace assay
