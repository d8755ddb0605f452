// Input of `gather`: the ranks of one job with the rows that `analyze` of the same analyzer emitted for each
// (ReportSink::rank_rows). Never a report: rows of all ranks are in memory together, reports are not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/abi.hpp"
#include "assay/output.hpp"

namespace assay {

/// Reports of one job, sorted by rank, then path.
struct JobRankTable {
  std::uint64_t rows = 0;
  Column<Str> path;            ///< of the report, as in facts.csv
  Column<std::int64_t> rank;   ///< from its label or the report; kNoInteger: neither, or not a number
  Column<std::int64_t> world;  ///< number of ranks according to the report; kNoInteger: not stated
};

/// Emitted rows, sorted by (rank, id).
struct RankRowTable {
  std::uint64_t rows = 0;
  Column<Row> rank;                ///< row of ranks
  Column<Str> id;                  ///< of the table, unique per rank
  Column<const TableView*> table;  ///< never null; its columns are sizeof(ColumnView) apart
};

/// One job. Pointers only, so that each table may grow.
struct Job {
  Str name;                             ///< for sentences: path of its first rank
  const JobRankTable* ranks = nullptr;  ///< never null, like those below
  const RankRowTable* tables = nullptr;
};

/// Receives the output of `gather` for a job. Implemented by the host; used by one thread. Facts, issues and skips of a
/// rank are added to its report, those of the job (rank kNone) to the report of its first rank. The functions without
/// `emit_` throw EmitError if the host refuses a fact or table.
class JobSink {
 public:
  /// `rank`: row of Job::ranks, or kNone for the job, also below. Returns kDuplicate if the first rank already has a
  /// fact of the job. A fact that `analyze` emitted for the report fails the analyzer.
  virtual Emit emit_fact(Row rank, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept = 0;
  /// A table of the job; its id is unique within the job.
  virtual Emit emit_table(const TableView* table) noexcept = 0;
  /// Records that `metric` (empty: not about one metric) cannot be provided, and why.
  virtual void emit_skip(Row rank, Str metric, Str reason) noexcept = 0;
  /// Adds an issue: a short fixed name, not empty; `count`: rows concerned, 0 if it is not about rows.
  virtual void emit_issue(Row rank, Str name, Severity severity, std::int64_t count, Str text) noexcept = 0;
  /// For the log only.
  virtual void note(Str text) noexcept = 0;

  /// A value of a declared metric in its declared unit, with the samples that it summarizes; all finite.
  void fact(RowArg rank, std::string_view metric, double value, const Dims& dims = {});
  void fact(RowArg rank, std::string_view metric, double value, std::span<const double> samples, const Dims& dims = {});
  void table(const Table& table);
  void skip(RowArg rank, std::string_view metric, std::string_view reason) { emit_skip(rank.row, metric, reason); }
  void issue(RowArg rank, std::string_view name, Severity severity, std::int64_t count, std::string_view text);

 protected:
  ~JobSink() = default;
};

/// Look-ups in a Job, logarithmic in its tables. Borrows the job.
class JobView {
 public:
  explicit JobView(const Job& job) : job_(&job) {}

  [[nodiscard]] std::size_t rank_count() const { return static_cast<std::size_t>(job_->ranks->rows); }
  /// Number of the rank in a row of ranks; empty if unknown.
  [[nodiscard]] std::optional<std::int64_t> rank(std::size_t row) const;
  /// Path of the report in a row of ranks, as in facts.csv.
  [[nodiscard]] std::string_view path(std::size_t row) const { return job_->ranks->path[row]; }

  /// Whether the rank emitted rows with this id.
  [[nodiscard]] bool has(std::size_t rank, std::string_view id) const { return find(rank, id) != nullptr; }
  /// Cells of a column of a rank's rows, in emission order; empty without such rows or such a column of that type.
  /// `rank`: row of ranks.
  [[nodiscard]] std::span<const std::int64_t> integers(std::size_t rank, std::string_view id,
                                                       std::string_view column) const {
    return RowsView(find(rank, id)).integers(column);
  }
  [[nodiscard]] std::span<const double> numbers(std::size_t rank, std::string_view id, std::string_view column) const {
    return RowsView(find(rank, id)).numbers(column);
  }
  [[nodiscard]] std::span<const Str> texts(std::size_t rank, std::string_view id, std::string_view column) const {
    return RowsView(find(rank, id)).texts(column);
  }

 private:
  [[nodiscard]] const TableView* find(std::size_t rank, std::string_view id) const;

  const Job* job_;
};

}  // namespace assay
