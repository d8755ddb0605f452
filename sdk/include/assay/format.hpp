// Turns a class of static members into a format: builds the descriptor at compile time, catches its exceptions, and
// gives it the columns of the host. The last line of format.cpp is all that a format needs for its boundary
// (format_abi.hpp):
//
// ASSAY_FORMAT("my_profiler", "0.1.0", MyProfiler);
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/format_abi.hpp"
#include "assay/plugin.hpp"

namespace assay {

/// Rows of a table of the report model while they are filled:
///   auto kernels = out.rows<KernelTable>(col::kernels, n);
///   std::span<std::int64_t> start = kernels[&KernelTable::start];
/// The host completes core columns that are not filled: the only process, thread and device, no stream.
template <class Table>
class RowsOf {
 public:
  RowsOf(TableSink& sink, ColumnId table, std::uint64_t rows) : sink_(&sink), table_(table), rows_(rows) {}

  /// All cells of a column, uninitialized if new. Throws std::runtime_error if the host refuses them.
  template <class T>
  std::span<T> operator[](Column<T> Table::* column) {
    static const Table kTable;
    const auto offset = reinterpret_cast<const char*>(&(kTable.*column)) - reinterpret_cast<const char*>(&kTable);
    void* const cells = sink_->cells(table_, static_cast<std::uint32_t>(offset), rows_);
    if (cells == nullptr) throw std::runtime_error("the host takes no such column");
    return {static_cast<T*>(cells), rows_};
  }
  /// Changes the number of rows; request columns again afterwards.
  void resize(std::uint64_t rows) { rows_ = rows; }

 private:
  TableSink* sink_;
  ColumnId table_;
  std::uint64_t rows_;
};

/// Like RowsOf, for a declared table, by column name. Throws std::runtime_error for a column that is not declared with
/// that kind.
class DeclaredRows {
 public:
  DeclaredRows(TableSink& sink, std::string_view table, std::uint64_t rows)
      : sink_(&sink), table_(table), rows_(rows) {}

  std::span<std::int64_t> integers(std::string_view column) { return cells<std::int64_t>(column, CellKind::kInteger); }
  std::span<double> reals(std::string_view column) { return cells<double>(column, CellKind::kReal); }
  std::span<StringId> texts(std::string_view column) { return cells<StringId>(column, CellKind::kText); }
  void resize(std::uint64_t rows) { rows_ = rows; }

 private:
  template <class T>
  std::span<T> cells(std::string_view column, CellKind kind) {
    void* const at = sink_->declared_cells(table_, column, kind, rows_);
    if (at == nullptr) throw std::runtime_error("the host takes no column '" + std::string(column) + "'");
    return {static_cast<T*>(at), rows_};
  }
  TableSink* sink_;
  std::string_view table_;
  std::uint64_t rows_;
};

/// Output of an author's `load`. Borrows the sink.
class Tables {
 public:
  explicit Tables(TableSink& sink) : sink_(sink) {}

  /// `count` rows of a table of the report model.
  template <class Table>
  RowsOf<Table> rows(ColumnId table, std::uint64_t count) {
    return {sink_, table, count};
  }
  /// `count` rows of a declared table; `table` must outlive the result.
  DeclaredRows declared(std::string_view table, std::uint64_t count) { return {sink_, table, count}; }
  /// `count` cells of a column that links rows. Throws std::runtime_error if the host refuses them.
  template <class T>
  std::span<T> links(ColumnId table, LinkColumn column, std::uint64_t count) {
    void* const cells = sink_.link_cells(table, column, count);
    if (cells == nullptr) throw std::runtime_error("the host takes no such link");
    return {static_cast<T*>(cells), count};
  }
  /// Like TableSink::wants and intern.
  [[nodiscard]] bool wants(ColumnId column) const { return sink_.wants(column); }
  StringId intern(std::string_view text) { return sink_.intern(text); }
  /// For everything else: threads, devices, issues, times.
  TableSink& sink() { return sink_; }

 private:
  TableSink& sink_;
};

namespace detail {

ASSAY_OPTIONAL_MEMBER_(reads_of, kReads, FormatPart)
ASSAY_OPTIONAL_MEMBER_(passes_over_of, kPassesOver, FormatPart)
ASSAY_OPTIONAL_MEMBER_(fills_of, kFills, ColumnId)
ASSAY_OPTIONAL_MEMBER_(tables_of, kTables, TableSpec)
ASSAY_OPTIONAL_MEMBER_(captures_of, kCaptures, CaptureSpec)
ASSAY_OPTIONAL_MEMBER_(recorders_of, kRecorders, RecorderSpec)

ASSAY_HAS_MEMBER_(NamesReads, kReads)
ASSAY_HAS_MEMBER_(NamesPassesOver, kPassesOver)
ASSAY_HAS_MEMBER_(NamesFills, kFills)
ASSAY_HAS_MEMBER_(NamesTables, kTables)
ASSAY_HAS_MEMBER_(NamesCaptures, kCaptures)
ASSAY_HAS_MEMBER_(NamesRecorders, kRecorders)
ASSAY_HAS_MEMBER_(NamesTraits, kTraits)
ASSAY_HAS_MEMBER_(NamesAgain, kAgain)
ASSAY_HAS_MEMBER_(NamesIdentify, identify)
ASSAY_HAS_MEMBER_(NamesExplain, explain)
ASSAY_HAS_MEMBER_(NamesRules, rules)
ASSAY_HAS_MEMBER_(NamesDerive, derive)

template <class T>
concept Identifies = requires(const FormatFile& file, IdentitySink& sink) { T::identify(file, sink); };
template <class T>
concept Explains = requires(const FormatFile& file, ExplanationSink& sink) { T::explain(file, sink); };
template <class T>
concept HasRules = requires(const FormatFile& file, RuleSink& sink) { T::rules(file, sink); };
template <class T>
concept Derives = requires(const Report& report, Tables& out) { T::derive(report, out); };

template <class T>
bool sniff(const FormatFile& file) noexcept {
  try {
    return T::sniff(file);
  } catch (...) {
    return false;
  }
}

template <class T>
void identify(const FormatFile& file, IdentitySink& sink) noexcept {
  try {
    T::identify(file, sink);
  } catch (...) {  // no message available
  }
}

template <class T>
void explain(const FormatFile& file, ExplanationSink& sink) noexcept {
  try {
    T::explain(file, sink);
  } catch (...) {  // the file stays unexplained
  }
}

template <class T>
bool rules(const FormatFile& file, RuleSink& sink, ErrorSink& errors) noexcept {
  return guarded(errors, [&] { T::rules(file, sink); });
}

template <class T>
void derive(const Report& report, TableSink& sink, ErrorSink& errors) noexcept {
  guarded(errors, [&] {
    Tables out(sink);
    T::derive(report, out);
  });
}

template <class T>
bool load(const FormatRequest& request, TableSink& sink, ErrorSink& errors) noexcept {
  return guarded(errors, [&] {
    Tables out(sink);
    T::load(request, out);
  });
}

/// A member that is there but cannot be used is a mistake that would silently do nothing.
template <class T>
consteval void check_optional_members() {
  static_assert(!NamesReads<T> || requires { Span<FormatPart>(T::kReads); }, "kReads is to be public and static");
  static_assert(
      !NamesPassesOver<T> || requires { Span<FormatPart>(T::kPassesOver); }, "kPassesOver is to be public and static");
  static_assert(!NamesFills<T> || requires { Span<ColumnId>(T::kFills); }, "kFills is to be public and static");
  static_assert(!NamesTables<T> || requires { Span<TableSpec>(T::kTables); }, "kTables is to be public and static");
  static_assert(
      !NamesCaptures<T> || requires { Span<CaptureSpec>(T::kCaptures); }, "kCaptures is to be public and static");
  static_assert(
      !NamesRecorders<T> || requires { Span<RecorderSpec>(T::kRecorders); }, "kRecorders is to be public and static");
  static_assert(!NamesTraits<T> || requires { std::uint32_t{T::kTraits}; }, "kTraits is to be public and static");
  static_assert(!NamesAgain<T> || requires { Str(T::kAgain); }, "kAgain is to be public and static");
  static_assert(!NamesIdentify<T> || Identifies<T>,
                "`identify` is not called as it is: it is to be public, `static void identify(const FormatFile&, "
                "IdentitySink&)`");
  static_assert(!NamesExplain<T> || Explains<T>,
                "`explain` is not called as it is: it is to be public, `static void explain(const FormatFile&, "
                "ExplanationSink&)`");
  static_assert(
      !NamesRules<T> || HasRules<T>,
      "`rules` is not called as it is: it is to be public, `static void rules(const FormatFile&, RuleSink&)`");
  static_assert(!NamesDerive<T> || Derives<T>,
                "`derive` is not called as it is: it is to be public, `static void derive(const Report&, Tables&)`");
}

template <class T>
consteval FormatDescriptor describe_format(Str id, Str version) {
  check_optional_members<T>();
  static_assert(
      requires(const FormatFile& file) {
        { T::sniff(file) } -> std::same_as<bool>;
      }, "a format needs `static bool sniff(const FormatFile&)`");
  static_assert(
      requires(const FormatRequest& file, Tables& out) { T::load(file, out); },
      "a format needs `static void load(const FormatRequest&, Tables&)`");
  FormatDescriptor d;
  d.sizes = {sizeof(FormatDescriptor), sizeof(TableSpec),     sizeof(ColumnSpec),  sizeof(FormatPart),
             sizeof(FormatFile),       sizeof(FormatRequest), sizeof(CaptureSpec), sizeof(RecorderSpec)};
  d.cxx_abi = Str(kCxxAbi);
  d.id = id;
  d.version = version;
  d.summary = Str(T::kSummary);
  if constexpr (requires { T::kTraits; }) d.traits = T::kTraits;
  d.names = T::kNames;
  d.reads = reads_of<T>();
  d.passes_over = passes_over_of<T>();
  d.fills = fills_of<T>();
  d.tables = tables_of<T>();
  d.captures = captures_of<T>();
  d.sniff = &sniff<T>;
  if constexpr (Identifies<T>) d.identify = &identify<T>;
  if constexpr (Explains<T>) d.explain = &explain<T>;
  if constexpr (HasRules<T>) d.rules = &rules<T>;
  if constexpr (Derives<T>) d.derive = &derive<T>;
  if constexpr (requires { T::kAgain; }) d.again = Str(T::kAgain);
  d.load = &load<T>;
  d.build = kBuild;
  d.recorders = recorders_of<T>();
  return d;
}

}  // namespace detail
}  // namespace assay

// The exported symbol; a format that is part of a program has one of its own.
#ifndef ASSAY_FORMAT_SYMBOL
#define ASSAY_FORMAT_SYMBOL assay_format
#endif

// Exports FormatClass, a class of static members: kSummary, kNames, sniff, load, and optionally kTraits, kReads,
// kPassesOver, kFills, kTables, kCaptures, kRecorders, kAgain, identify, explain, rules, derive.
#define ASSAY_FORMAT(id, version, FormatClass)                                                       \
  extern "C" {                                                                                       \
  __attribute__((visibility("default"))) extern const ::assay::FormatDescriptor ASSAY_FORMAT_SYMBOL; \
  constinit const ::assay::FormatDescriptor ASSAY_FORMAT_SYMBOL =                                    \
      ::assay::detail::describe_format<FormatClass>(id, version);                                    \
  }                                                                                                  \
  static_assert(true)
