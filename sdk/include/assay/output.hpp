// Outputs of analyzers: facts, text attributes and tables (from `analyze`); findings, verdicts, study facts and tables
// (from `conclude`). The host copies everything before the call returns, sorts it, and writes the files.
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

/// One dimension of a fact at the boundary: {"direction", "h2d"}. Borrows both texts, and therefore accepts no
/// temporary std::string; `Dims` owns its texts. Order does not matter; keys are unique within a fact.
struct Dim {
  Str key;
  Str value;

  constexpr Dim() = default;
  constexpr Dim(Str key_text ASSAY_LIFETIMEBOUND, Str value_text ASSAY_LIFETIMEBOUND)
      : key(key_text), value(value_text) {}
  template <std::same_as<std::string> Text>
  Dim(Str key_text, Text&& value_text) = delete;  // it would dangle immediately
};

/// Dimensions of a fact: {{"direction", "h2d"}, {"device", 0}}. Owns its texts, so that their sources may be temporary.
class Dims {
 public:
  /// A dimension that owns its texts; an integer becomes its decimal text.
  struct One {
    std::string key, value;

    One(std::string_view key_text, std::string_view value_text) : key(key_text), value(value_text) {}
    template <std::integral Integer>
      requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
    One(std::string_view key_text, Integer number) : key(key_text), value(std::to_string(number)) {}
    One(const Dim& dim) : key(dim.key.view()), value(dim.value.view()) {}  // NOLINT: implicit by design
  };

  Dims() = default;
  Dims(std::initializer_list<One> dims) : dims_(dims) {}  // NOLINT: implicit by design, also below
  Dims(const std::vector<Dim>& dims) : dims_(dims.begin(), dims.end()) {}
  /// Names and values of labels, of a stratum for instance.
  Dims(const std::vector<std::pair<std::string, std::string>>& labels);
  /// Appends a dim whose value is a text or an integer.
  template <class Value>
  Dims& add(std::string_view key, const Value& value) {
    dims_.emplace_back(key, value);
    return *this;
  }
  /// Returns `use(Span<Dim>)`, called with views that live for the call.
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

/// Dims in the order of `texts`, which they borrow: the labels of a stratum, for instance.
std::vector<Dim> dims_of(const std::vector<std::pair<std::string, std::string>>& texts);

/// The host's reply to an emission. Any other value than kOk fails the analyzer for this report (or question); the
/// inline functions of the sinks throw EmitError.
enum class Emit : std::uint32_t {
  kOk = 0,
  kUndeclared = 1,  ///< metric or attribute not in kProduces / kAttributes; rank rows without `gather`; a verdict
                    ///< without kClaimKeys
  kNotFinite = 2,   ///< value or sample of a fact is NaN or infinite
  kDuplicate = 3,   ///< a second (report, metric, dims), attribute, table id, plot id, text file or verdict on a claim
  kMalformed = 4,   ///< empty or repeated dim key or label, ragged table, unknown report, claim or fact row, ...
};

/// Thrown inside the plugin by the inline layer if the host refuses an emission.
class EmitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class CellType : std::uint32_t { kText = 0, kInteger = 1, kNumber = 2 };

/// An integer cell without a value.
inline constexpr std::int64_t kNoInteger = std::numeric_limits<std::int64_t>::min();

/// A typed column of an output table. Only the array of `type` may have cells. NaN and kNoInteger print as empty.
struct ColumnView {
  Str name;  ///< unique in the table, not empty
  Str unit;  ///< like MetricSpec::unit; empty: none
  CellType type = CellType::kText;
  Span<Str> texts;
  Span<std::int64_t> integers;
  Span<double> numbers;
};

/// A table, with rows in emission order: at least one column, all of one length.
struct TableView {
  std::uint64_t struct_size = sizeof(TableView);
  Str id;                                          ///< unique within the analyzer and report, e.g. "kernel_summary"
  Str title;                                       ///< for people
  std::uint64_t column_size = sizeof(ColumnView);  ///< stride of `columns`, in bytes
  Span<ColumnView> columns;
};

namespace detail {

/// Type of a cell's value, if there is one.
template <class T>
struct CellValue {
  using Type = T;
};
template <class T>
struct CellValue<std::optional<T>> {
  using Type = T;
};

/// Column type for a value: text, unless it is a number.
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

/// Author's side of a table: add columns; rows are the elements of the columns. The host refuses columns of unequal
/// length and repeated names when the table is emitted.
class Table {
 public:
  Table(std::string id, std::string title) : id_(std::move(id)), title_(std::move(title)) {}
  /// Appends a column. `unit`: empty for texts; NaN and kNoInteger: no value.
  void add(std::string name, std::string unit, std::vector<std::string> cells);
  void add(std::string name, std::string unit, std::vector<std::int64_t> cells);
  void add(std::string name, std::string unit, std::vector<double> cells);
  /// Appends a column with one cell per element of `rows`: `cell(row)` returns an integer, a number, a text, or a
  /// std::optional of these, which prints as empty without a value. May be a pointer to a member. Returns the table.
  template <class Rows, class Cell>
  Table& column(std::string name, std::string unit, const Rows& rows, Cell&& cell) {
    using CellResult = std::remove_cvref_t<decltype(std::invoke(cell, *std::begin(rows)))>;
    using Value = typename detail::CellValue<CellResult>::Type;
    std::vector<typename detail::CellOf<Value>::Type> cells;
    for (const auto& row : rows) cells.push_back(detail::CellOf<Value>::of(std::invoke(cell, row)));
    add(std::move(name), std::move(unit), std::move(cells));
    return *this;
  }
  /// Returns `use(TableView)`, called with views that live for the call.
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

/// Look-ups in rows that `analyze` emitted for `gather` or `conclude`. Cheap; borrows the table.
class RowsView {
 public:
  explicit RowsView(const TableView* rows) : rows_(rows) {}  ///< null: there are none

  /// Whether rows were emitted, possibly 0.
  [[nodiscard]] bool present() const { return rows_ != nullptr; }
  /// Cells of a column, in emission order; empty without rows or without such a column of that type.
  [[nodiscard]] std::span<const std::int64_t> integers(std::string_view column) const;
  [[nodiscard]] std::span<const double> numbers(std::string_view column) const;
  [[nodiscard]] std::span<const Str> texts(std::string_view column) const;

 private:
  [[nodiscard]] const ColumnView* find(std::string_view column) const;

  const TableView* rows_;
};

/// Throws EmitError ("fact 'x' was emitted twice") unless `answer` is kOk; for authors who call an `emit_` function.
void check_emit(Emit answer, std::string_view what, std::string_view name);

/// Why a metric is skipped, if the host uses it to decide what to show.
enum class SkipCause : std::uint32_t {
  kOther = 0,
  kNoIterations = 1,  ///< the question names no iterations, or none is in the window
  kNoFramework = 2,   ///< only a profiler of the framework records operators and allocations
};

/// Receives the output of `analyze` for one report. Implemented by the host; used by one thread. The `emit_` functions
/// return the host's reply; those without the prefix throw EmitError if it is not kOk.
class ReportSink {
 public:
  /// A declared metric, once per dims; value and samples must be finite.
  virtual Emit emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept = 0;
  virtual Emit emit_attribute(Str name, Str value) noexcept = 0;
  virtual Emit emit_table(const TableView* table) noexcept = 0;
  /// Records that this report cannot provide `metric` (empty: not about one metric), and why.
  virtual void emit_skip(Str metric, Str reason) noexcept = 0;
  /// Adds an issue of this report; like `issue`.
  virtual void emit_issue(Str name, Severity severity, std::int64_t count, Str text) noexcept = 0;
  /// For the log only.
  virtual void note(Str text) noexcept = 0;
  /// Appends rows to the table emitted last, which must have the same id and columns (else kMalformed). So a table of
  /// any length can be emitted without holding it.
  virtual Emit emit_rows(const TableView* rows) noexcept = 0;
  /// Rows for `gather` of the same analyzer, which receives those of all ranks of a job; they are in no
  /// output. Keep them compact: rows of every rank of every job are in memory at once. One table per id. kUndeclared
  /// without a stage `gather`.
  virtual Emit emit_rank_rows(const TableView* table) noexcept = 0;
  /// Like emit_skip, with a cause.
  virtual void emit_skip_by(SkipCause cause, Str metric, Str reason) noexcept = 0;
  /// Rows of this report for every `conclude` of the question (Study::rows); they are in no output. Keep
  /// them compact: those of all reports are in memory at once. One table per id.
  virtual Emit emit_study_rows(const TableView* table) noexcept = 0;

  /// One value of a declared metric, in its declared unit.
  void fact(std::string_view metric, double value, const Dims& dims = {}) { fact(metric, value, {}, dims); }
  /// A value with the samples it summarizes (one per iteration or step). The caller computes `value` by the metric's
  /// definition (the median for iteration.*, the mean for step.*).
  void fact(std::string_view metric, double value, std::span<const double> samples, const Dims& dims = {});
  /// Emits numerator / denominator, or a skip ("<denominator_name> is 0") if the denominator is 0.
  void ratio(std::string_view metric, double numerator, double denominator, std::string_view denominator_name,
             const Dims& dims = {});
  /// A declared text attribute, once per report.
  void attribute(std::string_view name, std::string_view value);
  /// A table of the report; its id is unique within the analyzer and report.
  void table(const Table& table);
  /// Like emit_rank_rows.
  void rank_rows(const Table& table);
  /// Like emit_study_rows.
  void study_rows(const Table& table);
  /// Like emit_skip; with a cause like emit_skip_by, which needs a host of 2.6.
  void skip(std::string_view metric, std::string_view reason, SkipCause cause = SkipCause::kOther) {
    cause == SkipCause::kOther ? emit_skip(metric, reason) : emit_skip_by(cause, metric, reason);
  }
  /// Adds an issue of this report. `name`: short and fixed, "kernels_in_graphs", not empty; `count`: rows concerned, 0
  /// if it is not about rows.
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

/// What an interval is about.
enum class Scope : std::uint32_t {
  kBetweenRun = 0,  ///< the interval includes the spread between runs and may decide
  kWithinRun = 1,   ///< describes only these runs and never decides
};

/// A measured effect with its interval, inclusive. Bounds are both finite and in order, or both NaN: there is no
/// interval (n too small), which decides nothing. The host refuses any other bounds, and a value that is not finite.
struct Effect {
  EffectKind kind = EffectKind::kRatio;
  Scope scope = Scope::kWithinRun;
  Str metric;        ///< id of a declared metric; empty: none
  double value = 0;  ///< a ratio or share, else in the unit of the metric
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();
  double level = 0.95;  ///< confidence level of the interval, above 0 and below 1
  std::int64_t n = 0;   ///< runs behind the effect
  Str method;           ///< how the interval was computed, for people: "bootstrap BCa, noise floor of 12 groups"
  std::uint64_t reserved[4] = {};
};

/// A label with its value, of a stratum or finding: {"patch", "8"}.
using LabelValue = Dim;

/// Role of a finding in the report.
enum class FindingRole : std::uint32_t {
  kAnswer = 0,    ///< answers the question: printed first
  kEvidence = 1,  ///< supports the answer
  kNote = 2,      ///< what to know about the data: what was left out, what cannot be verified
};

struct FindingView {
  std::uint64_t struct_size = sizeof(FindingView);
  FindingRole role = FindingRole::kEvidence;
  std::uint32_t has_effect = 0;
  Str title;  ///< one line, not empty
  Str text;   ///< whole sentences, not empty
  Effect effect;
  Span<LabelValue> labels;      ///< the stratum that it is about
  Span<std::int64_t> evidence;  ///< rows of Study::facts
  std::int64_t pairs = 0;       ///< pairs summarized by the effect; 0: not a summary of pairs
  std::int64_t agreeing = 0;    ///< pairs on the effect's side of 1
};

/// Author's side of a finding.
struct Finding {
  FindingRole role = FindingRole::kEvidence;
  std::string title;
  std::string text;
  std::optional<Effect> effect;
  std::vector<std::pair<std::string, std::string>> labels;  ///< of the stratum that it is about; unique
  std::vector<std::int64_t> evidence;                       ///< rows of Study::facts
  std::string method{};                  ///< owns Effect::method if that is composed: findings outlive their inputs
  std::int64_t pairs = 0, agreeing = 0;  ///< pairs summarized by the effect, and those on its side of 1
};

/// Outcome of a claim or stratum. kInconclusive: the interval decides nothing; kUntestable: data are missing or not
/// comparable.
enum class Verdict : std::uint32_t { kSupported = 0, kRefuted = 1, kInconclusive = 2, kUntestable = 3 };

/// Name as in the outputs; "untestable" for any other value.
constexpr std::string_view verdict_name(Verdict verdict) noexcept {
  constexpr std::string_view names[] = {"supported", "refuted", "inconclusive", "untestable"};
  const auto i = static_cast<std::size_t>(verdict);
  return i < std::size(names) ? names[i] : names[3];
}

/// Unit of what an open stratum needs.
enum class NeedUnit : std::uint32_t {
  kNothing = 0,  ///< nothing decides it, or the need is unknown: see Need::in_vain
  kRuns = 1,     ///< runs per side
  kBlocks = 2,   ///< blocks of a recording
  kChanged = 3,  ///< nothing decides it, because the effect itself changed during recording; see Need::in_vain
};

/// Scale of the interval of a stratum.
enum class NeedScale : std::uint32_t { kLogs = 0, kLogits = 1, kMetric = 2 };

/// What an open stratum still needs, by the rule that judged it, at the confidence of its effect.
struct Need {
  NeedUnit unit = NeedUnit::kNothing;
  NeedScale scale = NeedScale::kLogs;  ///< of centre, spread, low, high and unseen
  double centre = 0;                   ///< observed effect
  double spread = 0;                   ///< standard deviation of a run, or of the differences of blocks
  double degrees = 0;                  ///< of freedom of `spread`
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();  ///< claimed
  double unseen = 0;        ///< blocks: shift that few of them may not show (SequenceClaim::unseen)
  std::int64_t sides = 0;   ///< runs: 2 for a comparison of two sides, else 1
  std::int64_t seen = 0;    ///< runs of the smaller side, or blocks, that count
  std::int64_t needed = 0;  ///< in total, if effect and spread stay as observed; above kMaxNeeded: more than that
  Str in_vain;              ///< why no number of them decides it, or why that is unknown
  std::uint64_t reserved[4] = {};
};

/// Max number of runs or blocks that a need states; nobody repeats more.
inline constexpr std::int32_t kMaxNeeded = 10000;

/// Verdict on one stratum of a claim.
struct StratumView {
  Verdict verdict = Verdict::kUntestable;
  std::uint32_t has_effect = 0;
  Str reason;
  Effect effect;                ///< if `has_effect` is not 0
  Span<LabelValue> labels;      ///< names the stratum; unique, not empty keys
  Span<std::int64_t> evidence;  ///< rows of Study::facts
  Need need;                    ///< of an open stratum
};

/// Verdict on a claim at the boundary; one per claim, by a judge only.
struct VerdictView {
  std::uint64_t struct_size = sizeof(VerdictView);
  std::int64_t claim = 0;  ///< row of Study::claims
  Verdict verdict = Verdict::kUntestable;
  std::uint32_t stratum_size = sizeof(StratumView);  ///< stride of `strata`, in bytes
  Str reason;
  Span<StratumView> strata;
};

/// Author's side of the verdict on a stratum.
struct StratumVerdict {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::optional<Effect> effect;
  std::string method;  ///< owns Effect::method if that is composed
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::int64_t> evidence;
  Need need{};            ///< of an open stratum
  std::string in_vain{};  ///< owns Need::in_vain
};

struct PlotView;
struct Plot;

/// Receives the output of `conclude` for one question. Implemented by the host; used by one thread. The `emit_`
/// functions return the host's reply; those without the prefix throw EmitError if it is not kOk.
class StudySink {
 public:
  /// `report`: row of Study::reports for a derived fact, or kNone for a fact of the whole study.
  virtual Emit emit_fact(Row report, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept = 0;
  virtual Emit emit_finding(const FindingView* finding) noexcept = 0;
  /// A table of the question; its id is unique within the analyzer.
  virtual Emit emit_table(const TableView* table) noexcept = 0;
  /// kUndeclared without kClaimKeys, kDuplicate for a second verdict on a claim.
  virtual Emit emit_verdict(const VerdictView* verdict) noexcept = 0;
  /// Records that a report (or kNone: the question) was left out of something, and why.
  virtual void emit_skip(Row report, Str reason) noexcept = 0;
  /// For the log only.
  virtual void note(Str text) noexcept = 0;
  virtual Emit emit_plot(const PlotView* plot) noexcept = 0;
  /// A text file for one report, in a layout that people or programs know. The host writes it to
  /// "reports/NAME" with the report's path without extension followed by `suffix`: 1 to 100 letters, digits, '_', '-'
  /// and '.'; if two reports would share that name, one keeps its extension. Once per report and suffix.
  virtual Emit emit_text_file(Row report, Str suffix, Str content) noexcept = 0;

  /// A fact of the whole study.
  void fact(std::string_view metric, double value, const Dims& dims = {}) { report_fact(kNone, metric, value, dims); }
  void fact(std::string_view metric, double value, std::span<const double> samples, const Dims& dims = {});
  /// A derived fact of one report (row of Study::reports), or with kNone of the study. Refused if the report already
  /// has the fact, from any analyzer.
  void report_fact(RowArg report, std::string_view metric, double value, const Dims& dims = {});
  void report_fact(RowArg report, std::string_view metric, double value, std::span<const double> samples,
                   const Dims& dims = {});
  void finding(const Finding& finding);
  /// Verdict on a claim (row of Study::claims), once per claim.
  void verdict(std::int64_t claim, Verdict verdict, std::string_view reason, std::span<const StratumVerdict> strata);
  void table(const Table& table);
  /// Defined in plot.hpp, like Plot.
  void plot(const Plot& plot);
  /// Like emit_text_file.
  void text_file(RowArg report, std::string_view suffix, std::string_view content);
  /// Like emit_skip.
  void skip(RowArg report, std::string_view reason) { emit_skip(report.row, reason); }

 protected:
  ~StudySink() = default;

 private:
  static std::vector<LabelValue> views(const std::vector<std::pair<std::string, std::string>>& labels);
};

}  // namespace assay
