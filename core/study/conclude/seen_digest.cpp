#include <span>
#include <type_traits>

#include "analyze/result_cache.hpp"
#include "conclude/stored_conclusion.hpp"

namespace assay {
namespace {

/// Digest of the bytes that cache::ByteWriter would write: as bytes, the facts of a study are as large as the study.
class DigestWriter {
 public:
  void number(std::uint64_t value) { raw(&value, sizeof value); }
  void real(double value) { raw(&value, sizeof value); }
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value) {
    number(value.size());
    digester_.add(value);
  }
  [[nodiscard]] files::Digest value() const { return digester_.value(); }

 private:
  void raw(const void* from, std::size_t size) { digester_.add({static_cast<const char*>(from), size}); }
  files::Digester digester_;
};

/// Numbers and enumerations in memory layout: a cache belongs to one machine and one program.
template <class T>
void write(DigestWriter& to, const Column<T>& column) {
  static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>, "no byte is padding");
  const std::span<const T> values = column.view();
  to.flag(column.present());
  to.text({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void write(DigestWriter& to, const Column<Str>& column) {
  const std::span<const Str> texts = column.view();
  to.flag(column.present());
  to.number(texts.size());
  for (const Str text : texts) to.text(text.view());
}

template <class... T>
void write_all(DigestWriter& to, const Column<T>&... columns) {
  (write(to, columns), ...);
}

// Every `write` of a table binds all members, so that a new member does not compile until it is covered.

void write(DigestWriter& to, const StudyReportTable& table) {
  const auto& [rows, path, role, believed, doubt, job] = table;
  to.number(rows);
  write_all(to, path, role, believed, doubt, job);
}

void write(DigestWriter& to, const LabelTable& table) {
  const auto& [rows, name, changes, numeric, descriptive, rank] = table;
  to.number(rows);
  write_all(to, name, changes, numeric, descriptive, rank);
}

void write(DigestWriter& to, const LabelValueTable& table) {
  const auto& [rows, report, label, text, order, origin] = table;
  to.number(rows);
  write_all(to, report, label, text, order, origin);
}

void write(DigestWriter& to, const AttributeTable& table) {
  const auto& [rows, report, name, value] = table;
  to.number(rows);
  write_all(to, report, name, value);
}

void write(DigestWriter& to, const MetricTable& table) {
  const auto& [rows, id, unit, polarity, definition, title, extensive] = table;
  to.number(rows);
  write_all(to, id, unit, polarity, definition, title, extensive);
}

void write(DigestWriter& to, const FactTable& table) {
  const auto& [rows, report, metric, dims, value, sample_begin, sample_end, samples] = table;
  to.number(rows);
  write_all(to, report, metric, dims, value, sample_begin, sample_end, samples);
}

void write(DigestWriter& to, const ClaimTable& table) {
  const auto& [rows, id, text, source, keys] = table;
  static_cast<void>(keys);  // their texts are those of the planned claims
  to.number(rows);
  write_all(to, id, text, source);
}

void write(DigestWriter& to, const SheetTable& table) {
  const auto& [rows, id, path, lines, column_begin, column_end, label_begin, label_end] = table;
  to.number(rows);
  write_all(to, id, path, lines, column_begin, column_end, label_begin, label_end);
}

void write(DigestWriter& to, const SheetColumnTable& table) {
  const auto& [rows, name, cell_begin] = table;
  to.number(rows);
  write_all(to, name, cell_begin);
}

void write(DigestWriter& to, const SheetCellTable& table) {
  const auto& [rows, text, number_begin, number_end, numbers] = table;
  to.number(rows);
  write_all(to, text, number_begin, number_end, numbers);
}

void write(DigestWriter& to, const SheetLabelTable& table) {
  const auto& [rows, label, text, order, origin] = table;
  to.number(rows);
  write_all(to, label, text, order, origin);
}

void write(DigestWriter& to, const StudyRowTable& rows) {
  const auto& [count, report, analyzer, id, tables] = rows;
  to.number(count);
  write_all(to, report, analyzer, id);
  for (const TableView* table : tables) {
    to.number(table->columns.size);
    for (const ColumnView& column : table->columns) {
      to.text(column.name.view());
      write_all(to, Column<Str>(column.texts.data, column.texts.size),
                Column<std::int64_t>(column.integers.data, column.integers.size),
                Column<double>(column.numbers.data, column.numbers.size));
    }
  }
}

}  // namespace

files::Digest seen_digest(const Study& study, const std::vector<PlannedClaim>& claims) {
  const auto& [question, text, reports, labels, label_values, attributes, metrics, facts, claim_table, sheets,
               sheet_columns, sheet_cells, sheet_labels, level, rows, endings] = study;
  DigestWriter to;
  to.text(question.view());
  to.text(text.view());
  write(to, *reports);
  write(to, *labels);
  write(to, *label_values);
  write(to, *attributes);
  write(to, *metrics);
  write(to, *facts);
  write(to, *claim_table);
  for (const PlannedClaim& claim : claims) to.text(to_bytes(claim.keys));
  write(to, *sheets);
  write(to, *sheet_columns);
  write(to, *sheet_cells);
  write(to, *sheet_labels);
  to.real(level);
  write(to, *rows);
  for (const Str& ending : endings) to.text(ending.view());
  return to.value();
}

}  // namespace assay
