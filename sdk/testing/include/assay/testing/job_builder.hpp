// A Job built from what `analyze` recorded for its ranks, and a sink that records what `gather` emits, for tests of
// `gather`.
//
//   JobBuilder job;
//   for (int rank = 0; rank < 2; ++rank) job.rank(rank, 2, analyzed(report_of(rank)).rank_tables);
//   const JobRecorder r = gathered(job.build());
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "assay/job.hpp"
#include "assay/testing/recorded_views.hpp"

namespace assay::testing {

/// Collects ranks and sorts them as the host does. The job refers to the builder and is valid until the next `build`.
class JobBuilder {
 public:
  /// Adds a rank with its recorded rows; the path defaults to "rank<number>.sqlite". kNoInteger: unknown.
  JobBuilder& rank(std::int64_t number, std::int64_t world, std::vector<RecordedTable> rows, std::string path = {});
  /// The job with the ranks added so far, sorted by (rank, path), and their rows by id.
  const Job& build();

 private:
  struct AddedRank {
    std::int64_t number, world;
    std::vector<RecordedTable> rows;
    std::string path;
  };
  std::vector<AddedRank> ranks_;
  std::vector<Str> paths_;
  std::vector<std::int64_t> numbers_, worlds_;
  std::vector<Row> table_ranks_;
  RecordedViews views_;
  JobRankTable rank_table_;
  RankRowTable row_table_;
  Job job_;
};

/// Keeps everything that `gather` emits and rejects what the host would reject, except repeated table ids. Facts, skips
/// and issues of the job have report kNone, those of a rank its row in the job.
class JobRecorder final : public JobSink, public ErrorSink {
 public:
  /// `ranks`: number of ranks of the job.
  explicit JobRecorder(DeclaredOutputs declared, std::size_t ranks) : declared_(std::move(declared)), ranks_(ranks) {}

  std::vector<RecordedFact> facts;
  std::vector<RecordedTable> tables;
  std::vector<RecordedSkip> skips;
  std::vector<std::pair<Row, RecordedIssue>> issues;
  std::vector<std::string> notes, failures;

  /// The fact with this metric, canonical dims and rank (kNone: of the job); null if it was not emitted.
  [[nodiscard]] const RecordedFact* fact_of(std::string_view metric, std::string_view dims = {},
                                            Row rank = kNone) const;
  /// Value of that fact, or empty.
  [[nodiscard]] std::optional<double> value(std::string_view metric, std::string_view dims = {},
                                            Row rank = kNone) const;
  /// Text of the first issue with a name, of any rank; empty without such an issue.
  [[nodiscard]] std::optional<std::string> issue_of(std::string_view name) const;
  /// Reason of the first skip of a metric, of any rank; empty without such a skip.
  [[nodiscard]] std::optional<std::string> skip_of(std::string_view metric) const;

  Emit emit_fact(Row rank, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override;
  Emit emit_table(const TableView* table) noexcept override;
  void emit_skip(Row rank, Str metric, Str reason) noexcept override;
  void emit_issue(Row rank, Str name, Severity severity, std::int64_t count, Str text) noexcept override;
  void note(Str text) noexcept override { notes.emplace_back(text.view()); }
  void fail(Str sentence) noexcept override { failures.emplace_back(sentence.view()); }

 private:
  DeclaredOutputs declared_;
  std::size_t ranks_;
  std::set<std::tuple<Row, std::string, std::string>> seen_;
};

}  // namespace assay::testing
