// What analyzers hand out: facts, text attributes, tables (from `analyze`), and findings, verdicts, study facts and
// tables (from `conclude`). The host copies everything before the call returns, orders it, and writes the files.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/abi.hpp"
#include "assay/report.hpp"

namespace assay {

/// One dimension of a fact as it crosses: {"direction", "h2d"}. Borrows both texts, and therefore takes no temporary
/// std::string; `Dims` owns what it is given. Order does not matter; keys are unique within a fact.
struct Dim {
  Str key;
  Str value;

  constexpr Dim() = default;
  constexpr Dim(Str key_text ASSAY_LIFETIMEBOUND, Str value_text ASSAY_LIFETIMEBOUND)
      : key(key_text), value(value_text) {}
  template <std::same_as<std::string> Text>
  Dim(Str key_text, Text&& value_text) = delete;  // it would dangle at once
};

/// Dimensions of a fact as an author says them: {{"direction", "h2d"}, {"device", 0}}. Owns its texts, so that what
/// they were made from may go.
class Dims {
 public:
  struct One {
    std::string key, value;

    One(std::string_view key_text, std::string_view value_text) : key(key_text), value(value_text) {}
    template <std::integral Integer>
      requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
    One(std::string_view key_text, Integer number) : key(key_text), value(std::to_string(number)) {}
    One(const Dim& dim) : key(dim.key.view()), value(dim.value.view()) {}  // NOLINT: implicit by design
  };

  Dims() = default;
  Dims(std::initializer_list<One> dims) : dims_(dims) {}  // NOLINT: implicit by design; so below
  Dims(const std::vector<Dim>& dims) : dims_(dims.begin(), dims.end()) {}
  /// The labels of a stratum, for instance.
  Dims(const std::vector<std::pair<std::string, std::string>>& labels);
  /// One more: its value is a text or an integer.
  template <class Value>
  Dims& add(std::string_view key, const Value& value) {
    dims_.emplace_back(key, value);
    return *this;
  }
  /// Calls `use(Span<Dim>)` with views that live for the call.
  template <class Use>
  auto with_view(Use&& use) const {
    std::vector<Dim> views;
    views.reserve(dims_.size());
    for (const One& dim : dims_) views.emplace_back(Str(dim.key), Str(dim.value));
    return use(Span<Dim>(views));
  }

 private:
  std::vector<One> dims_;
};

/// Dims of keys and values that are texts, which they borrow: the labels of a stratum, for instance.
std::vector<Dim> dims_of(const std::vector<std::pair<std::string, std::string>>& texts);

/// The host's answer to an emission. Anything but kOk fails the analyzer for this report (or question); the sink
/// throws.
enum class Emit : std::uint32_t {
  kOk = 0,
  kUndeclared = 1,  ///< metric or attribute not in kProduces / kAttributes
  kNotFinite = 2,   ///< NaN or infinity
  kDuplicate = 3,   ///< same (report, metric, dims) twice
  kMalformed = 4,   ///< empty or repeated dim key, ragged table, unknown report, claim or fact row
};

/// Thrown by the inline layer inside the plugin when the host refuses an emission.
class EmitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class CellType : std::uint32_t { kText = 0, kInteger = 1, kNumber = 2 };

/// An integer cell without a value.
inline constexpr std::int64_t kNoInteger = std::numeric_limits<std::int64_t>::min();

/// A typed column of an output table; exactly one of the three arrays is filled, by `type`. NaN numbers and kNoInteger
/// print as empty.
struct ColumnView {
  Str name;
  Str unit;
  CellType type = CellType::kText;
  Span<Str> texts;
  Span<std::int64_t> integers;
  Span<double> numbers;
};

/// A table, rows in the order given.
struct TableView {
  std::uint64_t struct_size = sizeof(TableView);
  Str id;     ///< unique within the analyzer and report, e.g. "kernel_summary"
  Str title;  ///< for people
  std::uint64_t column_size = sizeof(ColumnView);
  Span<ColumnView> columns;
};

namespace detail {

/// What a cell holds where it is there.
template <class T>
struct CellValue {
  using Type = T;
};
template <class T>
struct CellValue<std::optional<T>> {
  using Type = T;
};

/// How a value stands in a column of a table: as a text, unless it is a number.
template <class T>
struct CellOf {
  using Type = std::string;
  static Type of(const T& value) { return Type(value); }
  static Type of(const std::optional<T>& value) { return value ? Type(*value) : Type(); }
};
template <std::integral T>
struct CellOf<T> {
  using Type = std::int64_t;
  static Type of(const std::optional<T>& value) { return value ? static_cast<Type>(*value) : kNoInteger; }
};
template <std::floating_point T>
struct CellOf<T> {
  using Type = double;
  static Type of(const std::optional<T>& value) {
    return value ? static_cast<Type>(*value) : std::numeric_limits<Type>::quiet_NaN();
  }
};

}  // namespace detail

/// Author's side of a table: add columns, then rows are the columns' elements.
class Table {
 public:
  Table(std::string id, std::string title) : id_(std::move(id)), title_(std::move(title)) {}
  void add(std::string name, std::string unit, std::vector<std::string> cells);
  void add(std::string name, std::string unit, std::vector<std::int64_t> cells);
  void add(std::string name, std::string unit, std::vector<double> cells);
  /// Adds a column with a cell for each of `rows`: `cell(row)` gives an integer, a number, a text, or one of them that
  /// may be missing (std::optional), which prints as empty. A projection may be a pointer to a member.
  template <class Rows, class Cell>
  Table& column(std::string name, std::string unit, const Rows& rows, Cell&& cell) {
    using CellResult = std::remove_cvref_t<decltype(std::invoke(cell, *std::begin(rows)))>;
    using Value = typename detail::CellValue<CellResult>::Type;
    std::vector<typename detail::CellOf<Value>::Type> cells;
    for (const auto& row : rows) cells.push_back(detail::CellOf<Value>::of(std::invoke(cell, row)));
    add(std::move(name), std::move(unit), std::move(cells));
    return *this;
  }
  /// Calls `use(TableView)` with views that live for the call.
  template <class Use>
  auto with_view(Use&& use) const {
    std::vector<std::vector<Str>> texts(columns_.size());
    std::vector<ColumnView> views;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Cells& c = columns_[i];
      texts[i].assign(c.texts.begin(), c.texts.end());
      views.push_back({c.name, c.unit, c.type, texts[i], c.integers, c.numbers});
    }
    TableView view;
    view.id = id_;
    view.title = title_;
    view.columns = views;
    return use(view);
  }

 private:
  struct Cells {
    std::string name, unit;
    CellType type;
    std::vector<std::string> texts;
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
  };
  std::string id_, title_;
  std::vector<Cells> columns_;
};

/// Throws where the host did not take what was emitted, by calling an `emit_` function itself, with what it was.
void check_emit(Emit answer, std::string_view what, std::string_view name);

/// Why a metric is skipped, where the host decides by it what is worth showing. Since 2.6.
enum class SkipCause : std::uint32_t {
  kOther = 0,
  kNoIterations = 1,  ///< the question names no iterations, or none lies in the window
  kNoFramework = 2,   ///< only a profiler of the framework records operators and allocations
};

/// Receives what `analyze` finds in one report. Implemented by the host; used by one thread.
class ReportSink {
 public:
  virtual Emit emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept = 0;
  virtual Emit emit_attribute(Str name, Str value) noexcept = 0;
  virtual Emit emit_table(const TableView* table) noexcept = 0;
  /// A metric this report cannot give, and why: a recorded row, not silence.
  virtual void emit_skip(Str metric, Str reason) noexcept = 0;
  /// Something to be said about this report: an issue row.
  virtual void emit_issue(Str name, Severity severity, std::int64_t count, Str text) noexcept = 0;
  /// For the log only.
  virtual void note(Str text) noexcept = 0;
  /// More rows of the table that was emitted last: same id, same columns. So that a table of any length can be handed
  /// over without being held.
  virtual Emit emit_rows(const TableView* rows) noexcept = 0;
  /// Since 2.2. Rows that `gather` of the same analyzer gets of all ranks of a job; they stand in no output. Compact:
  /// of every rank of every job they are in memory at once. Once an id.
  virtual Emit emit_rank_rows(const TableView* table) noexcept = 0;
  /// Since 2.6. As emit_skip.
  virtual void emit_skip_by(SkipCause cause, Str metric, Str reason) noexcept = 0;

  /// One value of a declared metric, in its declared unit.
  void fact(std::string_view metric, double value, const Dims& dims = {}) { fact(metric, value, {}, dims); }
  /// A value with the samples it summarises (one an iteration or step). `value` is computed by the caller as the
  /// metric's definition says (metrics.md: the median for iteration.*, the mean for step.*).
  void fact(std::string_view metric, double value, std::span<const double> samples, const Dims& dims = {});
  /// numerator / denominator, or a recorded skip when the denominator is 0.
  void ratio(std::string_view metric, double numerator, double denominator, std::string_view denominator_name,
             const Dims& dims = {});
  void attribute(std::string_view name, std::string_view value);
  void table(const Table& table);
  void rank_rows(const Table& table);
  void skip(std::string_view metric, std::string_view reason, SkipCause cause = SkipCause::kOther) {
    cause == SkipCause::kOther ? emit_skip(metric, reason) : emit_skip_by(cause, metric, reason);
  }
  /// `name`: short and fixed, "kernels_in_graphs"; `count`: rows concerned, 0 when it is not about rows.
  void issue(std::string_view name, Severity severity, std::int64_t count, std::string_view text) {
    emit_issue(name, severity, count, text);
  }

 protected:
  ~ReportSink() = default;
};

/// Kind of an effect (statistics.md).
enum class EffectKind : std::uint32_t {
  kRatio = 0,       ///< treated / base
  kDifference = 1,  ///< treated - base
  kLevel = 2,       ///< the metric itself
  kShare = 3,       ///< part of a whole, 0..1
};

enum class Scope : std::uint32_t {
  kBetweenRun = 0,  ///< the interval includes the spread between runs: may decide
  kWithinRun = 1,   ///< describes these runs only: never decides
};

/// A measured effect with its interval. NaN bounds: no interval could be made (n too small), which decides nothing.
struct Effect {
  EffectKind kind = EffectKind::kRatio;
  Scope scope = Scope::kWithinRun;
  Str metric;
  double value = 0;
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();
  double level = 0.95;  ///< of the interval
  std::int64_t n = 0;   ///< runs the effect rests on
  Str method;           ///< how the interval was made, for people: "bootstrap BCa, noise floor of 12 groups"
  std::uint64_t reserved[4] = {};
};

/// A label with its value, of a stratum or finding: {"patch", "8"}.
using LabelValue = Dim;

/// Role of a finding in the report.
enum class FindingRole : std::uint32_t {
  kAnswer = 0,    ///< answers the question: printed first
  kEvidence = 1,  ///< supports the answer
  kNote = 2,      ///< what to know about the data: what was left out, what is unverifiable
};

struct FindingView {
  std::uint64_t struct_size = sizeof(FindingView);
  FindingRole role = FindingRole::kEvidence;
  std::uint32_t has_effect = 0;
  Str title;  ///< one line
  Str text;   ///< whole sentences
  Effect effect;
  Span<LabelValue> labels;      ///< the stratum it speaks of
  Span<std::int64_t> evidence;  ///< rows of Study::facts
  std::int64_t pairs = 0;       ///< since 2.4: that the effect summarises; 0: it is no summary of pairs
  std::int64_t agreeing = 0;    ///< of them, on the effect's side of 1
};

/// Author's side of a finding.
struct Finding {
  FindingRole role = FindingRole::kEvidence;
  std::string title;
  std::string text;
  std::optional<Effect> effect;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
  std::string method{};  ///< owns Effect::method when that was composed: findings outlive what they were made from
  std::int64_t pairs = 0, agreeing = 0;  ///< that the effect summarises, and those on its side of 1
};

enum class Verdict : std::uint32_t { kSupported = 0, kRefuted = 1, kInconclusive = 2, kUntestable = 3 };

constexpr std::string_view verdict_name(Verdict verdict) noexcept {
  constexpr std::string_view names[] = {"supported", "refuted", "inconclusive", "untestable"};
  const auto i = static_cast<std::size_t>(verdict);
  return i < std::size(names) ? names[i] : names[3];
}

/// What more of decides an open stratum.
enum class NeedUnit : std::uint32_t {
  kNothing = 0,  ///< nothing does, or it is not known: Need::in_vain says why
  kRuns = 1,     ///< runs of each side
  kBlocks = 2,   ///< blocks of a recording
  kChanged =
      3,  ///< since 2.6: nothing does, because the effect itself changed while it was recorded; see Need::in_vain
};

/// The scale on which the interval of a stratum is made.
enum class NeedScale : std::uint32_t { kLogs = 0, kLogits = 1, kMetric = 2 };

/// What an open stratum still needs, by the rule that judged it. Confidence: that of its effect. Since 2.4.
struct Need {
  NeedUnit unit = NeedUnit::kNothing;
  NeedScale scale = NeedScale::kLogs;  ///< of centre, spread, low, high and unseen
  double centre = 0;                   ///< the effect as it was seen
  double spread = 0;                   ///< standard deviation of a run, or of the differences of blocks
  double degrees = 0;                  ///< of freedom of `spread`
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();  ///< claimed
  double unseen = 0;        ///< blocks: the shift that few of them may hide (SequenceClaim::unseen)
  std::int64_t sides = 0;   ///< runs: 2 where two sides are compared, else 1
  std::int64_t seen = 0;    ///< runs of the smaller side, or blocks, that count
  std::int64_t needed = 0;  ///< in all, if effect and spread stay as they are; above kMostNeeded: more than that
  Str in_vain;              ///< why no number of them decides it, or why that is not known
  std::uint64_t reserved[4] = {};
};

/// Beyond so many runs or blocks nobody replicates.
inline constexpr std::int32_t kMostNeeded = 10000;

/// One stratum of a claim's verdict.
struct StratumView {
  Verdict verdict = Verdict::kUntestable;
  std::uint32_t has_effect = 0;
  Str reason;
  Effect effect;
  Span<LabelValue> labels;
  Span<std::int64_t> evidence;
  Need need;  ///< of an open stratum
};

struct VerdictView {
  std::uint64_t struct_size = sizeof(VerdictView);
  std::int64_t claim = 0;  ///< row of Study::claims
  Verdict verdict = Verdict::kUntestable;
  std::uint32_t stratum_size = sizeof(StratumView);
  Str reason;
  Span<StratumView> strata;
};

/// Author's side of a verdict.
struct StratumVerdict {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::optional<Effect> effect;
  std::string method;  ///< owns Effect::method when that was composed
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
  Need need{};            ///< of an open stratum
  std::string in_vain{};  ///< owns Need::in_vain
};

struct PlotView;
struct Plot;

/// Receives what `conclude` finds in one question. Implemented by the host; used by one thread.
class StudySink {
 public:
  /// `report`: row of Study::reports that the derived fact belongs to, or kNone for a fact of the whole study.
  virtual Emit emit_fact(Row report, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept = 0;
  virtual Emit emit_finding(const FindingView* finding) noexcept = 0;
  virtual Emit emit_table(const TableView* table) noexcept = 0;
  virtual Emit emit_verdict(const VerdictView* verdict) noexcept = 0;
  /// A report (or kNone: the question) left out of something, and why.
  virtual void emit_skip(Row report, Str reason) noexcept = 0;
  virtual void note(Str text) noexcept = 0;
  virtual Emit emit_plot(const PlotView* plot) noexcept = 0;
  /// Since 2.1. A text of its own for one report, in a layout that people or programs know. The host writes it to
  /// "reports/NAME" with the report's path without extension and then `suffix`, which is 1 to 100 letters, digits, '_',
  /// '-' and '.'; where two reports would share that name, one of them keeps its extension. Once a report and suffix.
  virtual Emit emit_text_file(Row report, Str suffix, Str content) noexcept = 0;

  /// A fact of the whole study.
  void fact(std::string_view metric, double value, const Dims& dims = {}) { report_fact(kNone, metric, value, dims); }
  void fact(std::string_view metric, double value, std::span<const double> samples, const Dims& dims = {});
  void report_fact(RowArg report, std::string_view metric, double value, const Dims& dims = {});
  void report_fact(RowArg report, std::string_view metric, double value, std::span<const double> samples,
                   const Dims& dims = {});
  void finding(const Finding& finding);
  void verdict(std::int64_t claim, Verdict verdict, std::string_view reason, std::span<const StratumVerdict> strata);
  void table(const Table& table);
  /// Defined in plot.hpp, as Plot is.
  void plot(const Plot& plot);
  void text_file(RowArg report, std::string_view suffix, std::string_view content);
  void skip(RowArg report, std::string_view reason) { emit_skip(report.row, reason); }

 protected:
  ~StudySink() = default;

 private:
  static std::vector<LabelValue> views(const std::vector<std::pair<std::string, std::string>>& labels);
};

}  // namespace assay
