// Receives the columns that a format fills.
#pragma once

#include <string>

#include "assay/format.hpp"
#include "load/finish_tables.hpp"
#include "load/guarded_cells.hpp"

namespace assay::load {

class FormatSink final : public TableSink {
 public:
  /// `declared`: tables that the format declares. `guarded`: with an inaccessible page behind each column.
  FormatSink(Profile::Store& store, const WantedColumns& wanted, std::span<const TableSpec> declared, bool guarded);

  bool wants(ColumnId column) const noexcept override;
  StringId intern(Str text) noexcept override;
  void intern_all(Span<Str> texts, StringId* ids) noexcept override;
  void* cells(ColumnId table, std::uint32_t offset, std::uint64_t rows) noexcept override;
  void* declared_cells(Str table, Str column, CellKind kind, std::uint64_t rows) noexcept override;
  std::uint32_t add_process(std::int64_t id) noexcept override;
  std::uint32_t add_thread(std::uint32_t process, std::int64_t id, Str name) noexcept override;
  void add_device(const DeviceView& device) noexcept override;
  void add_property(Str name, Str value) noexcept override;
  void set_recorded(std::int64_t begin, std::int64_t end) noexcept override;
  void set_origin(std::int64_t time) noexcept override;
  void issue(Str code, Severity severity, std::int64_t count, Str text) noexcept override;
  void passed_over(Str kind, Str name, std::int64_t rows) noexcept override;
  void* link_cells(ColumnId table, LinkColumn column, std::uint64_t rows) noexcept override;
  Str text(StringId id) noexcept override;
  void advise(Str remedy) noexcept override;
  void note(Str text) noexcept override;
  void read_from(ColumnId table, Str part) noexcept override;
  void leave_out_calls() noexcept override { store_.calls_left_out = true; }
  void set_epoch(std::int64_t time) noexcept override;

  /// Ends filling. First mistake of the format as a predicate whose subject is the format; empty: none.
  std::string finish();
  [[nodiscard]] const StatedByFormat& stated() const { return stated_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 private:
  template <class T>
  void* resize(OwnedColumn<T>& column, std::uint64_t rows);
  DeclaredTableRows* declared_rows(std::string_view table);
  void refuse(std::string problem);
  /// Runs `body`, which may run out of memory.
  template <class Body>
  auto guarded(Body&& body) noexcept -> decltype(body());

  Profile::Store& store_;
  const WantedColumns& wanted_;
  std::span<const TableSpec> declared_;
  std::optional<GuardedCells> guards_;
  std::string problem_, remedy_;
  StatedByFormat stated_;
};

}  // namespace assay::load
