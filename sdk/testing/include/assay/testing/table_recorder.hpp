// Receives the columns a format fills, for tests of the format without the host; every column by table and name.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/format.hpp"

namespace assay::testing {

/// Keeps the cells. Throws nothing and rejects only declared columns that are not in the descriptor.
class TableRecorder final : public TableSink {
 public:
  explicit TableRecorder(const FormatDescriptor& descriptor) : descriptor_(descriptor) { intern(""); }

  /// Reads the file as the host does. Returns the error message, or an empty text on success.
  std::string load(const std::string& path, std::uint64_t size = 0) {
    struct First final : ErrorSink {
      void fail(Str sentence) noexcept override { text = sentence.view(); }
      std::string text;
    } error;
    const bool came_through = descriptor_.load({.path = path, .size = size}, *this, error);
    return came_through ? std::string() : error.text.empty() ? "failed without a sentence" : error.text;
  }

  /// Cells of a column of the report model; empty if it was not filled.
  template <class Table, class T>
  [[nodiscard]] std::vector<T> cells(ColumnId table, Column<T> Table::* column) {
    static const Table kTable;
    const auto offset = reinterpret_cast<const char*>(&(kTable.*column)) - reinterpret_cast<const char*>(&kTable);
    return typed<T>(columns_[{table, static_cast<std::uint32_t>(offset)}]);
  }
  /// Cells of a declared column; empty if it was not filled.
  template <class T>
  [[nodiscard]] std::vector<T> declared(const std::string& table, const std::string& column) {
    return typed<T>(declared_[{table, column}]);
  }
  /// Cells of a column that links rows; empty if it was not filled.
  template <class T>
  [[nodiscard]] std::vector<T> links(ColumnId table, LinkColumn column) {
    return typed<T>(links_[{table, column}]);
  }
  /// Text of an interned id. Throws std::out_of_range for another id.
  [[nodiscard]] const std::string& string(StringId id) const { return strings_.at(id); }

  std::vector<std::string> issues;                       ///< codes
  std::map<std::string, std::int64_t> passed_over_rows;  ///< by name

  bool wants(ColumnId) const noexcept override { return true; }
  StringId intern(Str text) noexcept override {
    const auto [at, fresh] = ids_.try_emplace(std::string(text.view()), static_cast<StringId>(strings_.size()));
    if (fresh) strings_.emplace_back(text.view());
    return at->second;
  }
  void intern_all(Span<Str> texts, StringId* ids) noexcept override {
    for (std::size_t i = 0; i < texts.size; ++i) ids[i] = intern(texts[i]);
  }
  void* cells(ColumnId table, std::uint32_t offset, std::uint64_t rows) noexcept override {
    return resized(columns_[{table, offset}], rows);
  }
  void* declared_cells(Str table, Str column, CellKind kind, std::uint64_t rows) noexcept override {
    for (const TableSpec& spec : descriptor_.tables) {
      for (const ColumnSpec& one : spec.columns) {
        if (spec.name == table && one.name == column && one.kind == kind)
          return resized(declared_[{std::string(table.view()), std::string(column.view())}], rows);
      }
    }
    return nullptr;
  }
  void* link_cells(ColumnId table, LinkColumn column, std::uint64_t rows) noexcept override {
    return resized(links_[{table, column}], rows);
  }
  Str text(StringId id) noexcept override { return id < strings_.size() ? Str(strings_[id]) : Str(); }
  void advise(Str) noexcept override {}
  void note(Str) noexcept override {}
  void read_from(ColumnId, Str) noexcept override {}
  void leave_out_calls() noexcept override {}
  std::uint32_t add_process(std::int64_t) noexcept override { return processes_++; }
  std::uint32_t add_thread(std::uint32_t, std::int64_t, Str) noexcept override { return threads_++; }
  void add_device(const DeviceView&) noexcept override {}
  void add_property(Str, Str) noexcept override {}
  void set_recorded(std::int64_t, std::int64_t) noexcept override {}
  void set_origin(std::int64_t) noexcept override {}
  void set_epoch(std::int64_t) noexcept override {}
  void issue(Str code, Severity, std::int64_t, Str) noexcept override { issues.emplace_back(code.view()); }
  void passed_over(Str, Str name, std::int64_t rows) noexcept override {
    if (rows > 0) passed_over_rows[std::string(name.view())] += rows;
  }

 private:
  /// Cells of up to eight bytes each.
  struct Cells {
    std::vector<std::uint64_t> memory;
    std::uint64_t rows = 0;
  };
  static void* resized(Cells& cells, std::uint64_t rows) {
    cells.rows = rows;
    cells.memory.resize(rows + 1);
    return cells.memory.data();
  }
  template <class T>
  static std::vector<T> typed(const Cells& cells) {
    const T* const first = reinterpret_cast<const T*>(cells.memory.data());
    return cells.rows == 0 ? std::vector<T>() : std::vector<T>(first, first + cells.rows);
  }

  const FormatDescriptor& descriptor_;
  std::deque<std::string> strings_;
  std::map<std::string, StringId> ids_;
  std::map<std::pair<ColumnId, std::uint32_t>, Cells> columns_;
  std::map<std::pair<ColumnId, LinkColumn>, Cells> links_;
  std::map<std::pair<std::string, std::string>, Cells> declared_;
  std::uint32_t processes_ = 0, threads_ = 0;
};

}  // namespace assay::testing
