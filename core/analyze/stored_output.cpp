#include "analyze/stored_output.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cache/bytes.hpp"

namespace assay {
namespace {

using cache::ByteReader;
using cache::ByteWriter;

// Every `put` binds all members of its structure, so that a member added later does not compile until it is kept too.

template <class T>
void put(ByteWriter& to, const std::vector<T>& values);

void put(ByteWriter& to, const std::string& text) { to.text(text); }

void put(ByteWriter& to, const Fact& fact) {
  const auto& [metric, dims, value, samples] = fact;
  to.text(metric);
  to.text(dims);
  to.real(value);
  to.reals(samples);
}

void put(ByteWriter& to, const OwnedAttribute& attribute) {
  const auto& [name, value] = attribute;
  to.text(name);
  to.text(value);
}

void put(ByteWriter& to, const OwnedTable::Column& column) {
  const auto& [name, unit, type, texts, integers, numbers] = column;
  to.text(name);
  to.text(unit);
  to.number(static_cast<std::uint64_t>(type));
  put(to, texts);
  to.integers(integers);
  to.reals(numbers);
}

void put(ByteWriter& to, const OwnedTable& table) {
  const auto& [analyzer, id, title, columns] = table;
  to.text(analyzer);
  to.text(id);
  to.text(title);
  put(to, columns);
}

void put(ByteWriter& to, const OwnedIssue& issue) {
  const auto& [name, severity, count, text] = issue;
  to.text(name);
  to.number(static_cast<std::uint64_t>(severity));
  to.integer(count);
  to.text(text);
}

void put(ByteWriter& to, const Skip& skip) {
  const auto& [report, analyzer, reason, failed] = skip;
  to.text(report);
  to.text(analyzer);
  to.text(reason);
  to.flag(failed);
}

template <class T>
void put(ByteWriter& to, const std::vector<T>& values) {
  to.number(values.size());
  for (const T& value : values) put(to, value);
}

template <class T>
void get(ByteReader& from, std::vector<T>& values);

std::string utf8(ByteReader& from) {
  std::string text = from.text();
  if (!is_utf8(text)) from.refuse();
  return text;
}

double finite(ByteReader& from) {
  const double value = from.real();
  if (!std::isfinite(value)) from.refuse();
  return value;
}

void get(ByteReader& from, std::string& text) { text = utf8(from); }

void get(ByteReader& from, Fact& fact) {
  fact.metric = utf8(from);
  fact.dims = utf8(from);
  fact.value = finite(from);
  fact.samples = from.reals();
  for (const double sample : fact.samples) {
    if (!std::isfinite(sample)) from.refuse();
  }
}

void get(ByteReader& from, OwnedAttribute& attribute) {
  attribute.name = utf8(from);
  attribute.value = utf8(from);
}

void get(ByteReader& from, OwnedTable::Column& column) {
  column.name = utf8(from);
  column.unit = utf8(from);
  column.type = static_cast<CellType>(from.below(static_cast<std::uint64_t>(CellType::kNumber) + 1));
  get(from, column.texts);
  column.integers = from.integers();
  column.numbers = from.reals();
}

std::size_t rows_of_type(const OwnedTable::Column& column) {
  if (column.type == CellType::kText) return column.texts.size();
  return column.type == CellType::kInteger ? column.integers.size() : column.numbers.size();
}

void get(ByteReader& from, OwnedTable& table) {
  table.analyzer = utf8(from);
  table.id = utf8(from);
  table.title = utf8(from);
  get(from, table.columns);
  if (table.columns.empty()) from.refuse();
  for (const OwnedTable::Column& column : table.columns) {
    const std::size_t cells = column.texts.size() + column.integers.size() + column.numbers.size();
    if (rows_of_type(column) != cells || cells != table.rows()) from.refuse();
  }
}

void get(ByteReader& from, OwnedIssue& issue) {
  issue.name = utf8(from);
  issue.severity = static_cast<Severity>(from.below(static_cast<std::uint64_t>(Severity::kError) + 1));
  issue.count = from.integer();
  issue.text = utf8(from);
}

void get(ByteReader& from, Skip& skip) {
  skip.report = utf8(from);
  skip.analyzer = utf8(from);
  skip.reason = utf8(from);
  skip.failed = from.flag();
}

template <class T>
void get(ByteReader& from, std::vector<T>& values) {
  const std::size_t count = from.count();
  for (std::size_t i = 0; i < count && from.good(); ++i) get(from, values.emplace_back());
}

bool declared(const Descriptor& by, const AnalyzerOutput& output) {
  const auto produces = [&](const Fact& fact) {
    return std::any_of(by.produces.begin(), by.produces.end(), [&](const auto& m) { return m.id == fact.metric; });
  };
  const auto has = [&](const OwnedAttribute& given) {
    return std::any_of(by.attributes.begin(), by.attributes.end(), [&](const auto& a) { return a.name == given.name; });
  };
  const auto own = [&](const OwnedTable& t) { return by.id == t.analyzer; };
  return std::all_of(output.facts.begin(), output.facts.end(), produces) &&
         std::all_of(output.attributes.begin(), output.attributes.end(), has) &&
         std::all_of(output.tables.begin(), output.tables.end(), own) &&
         std::all_of(output.rank_rows.begin(), output.rank_rows.end(), own);
}

}  // namespace

std::string to_bytes(const std::vector<OwnedTable>& tables) {
  ByteWriter to;
  put(to, tables);
  return to.bytes();
}

std::string to_bytes(const ViewIssues& view) {
  const auto& [missing, issues] = view;
  ByteWriter to;
  to.flag(missing.has_value());
  to.text(missing.value_or(""));
  put(to, issues);
  return to.bytes();
}

std::string to_bytes(const AnalyzerOutput& output) {
  const auto& [facts, attributes, tables, rank_rows, issues, skips, notes, lacking] = output;
  ByteWriter to;
  put(to, facts);
  put(to, attributes);
  put(to, tables);
  put(to, rank_rows);
  put(to, issues);
  put(to, skips);
  put(to, notes);
  to.flag(lacking);
  return to.bytes();
}

std::string to_bytes(const ReportResult& result) {
  const auto& [loaded, lacking, facts, attributes, doubt, tables, rank_rows, issues, skips, notes] = result;
  static_cast<void>(notes);  // they say how the report was read
  ByteWriter to;
  to.flag(loaded);
  to.flag(lacking);
  put(to, facts);
  put(to, attributes);
  to.text(doubt);
  put(to, tables);
  put(to, rank_rows);
  put(to, issues);
  put(to, skips);
  return to.bytes();
}

std::optional<ViewIssues> view_from_bytes(std::string_view bytes) {
  ByteReader from(bytes);
  ViewIssues view;
  const bool missing = from.flag();
  std::string why = utf8(from);
  if (missing) view.missing = std::move(why);
  get(from, view.issues);
  if (!from.complete()) return std::nullopt;
  return view;
}

std::optional<AnalyzerOutput> output_from_bytes(std::string_view bytes, const Descriptor& by) {
  ByteReader from(bytes);
  AnalyzerOutput output;
  get(from, output.facts);
  get(from, output.attributes);
  get(from, output.tables);
  get(from, output.rank_rows);
  get(from, output.issues);
  get(from, output.skips);
  get(from, output.notes);
  output.lacking = from.flag();
  if (!from.complete() || !declared(by, output)) return std::nullopt;
  return output;
}

std::optional<ReportResult> result_from_bytes(std::string_view bytes) {
  ByteReader from(bytes);
  ReportResult result;
  result.loaded = from.flag();
  result.lacking = from.flag();
  get(from, result.facts);
  get(from, result.attributes);
  result.doubt = utf8(from);
  get(from, result.tables);
  get(from, result.rank_rows);
  get(from, result.issues);
  get(from, result.skips);
  if (!from.complete()) return std::nullopt;
  return result;
}

}  // namespace assay
