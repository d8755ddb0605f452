// Host side of JobSink: collects the output of one analyzer for one job.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyze/emission.hpp"
#include "analyze/report_sink.hpp"
#include "assay/job.hpp"

namespace assay {

class RecordingJobSink final : public JobSink {
 public:
  /// `declared` limits what may be emitted; `reports` are the names of the ranks' reports.
  RecordingJobSink(const Descriptor& declared, std::vector<std::string> reports);

  Emit emit_fact(Row rank, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept override;
  Emit emit_table(const TableView* table) noexcept override;
  void emit_skip(Row rank, Str metric, Str reason) noexcept override;
  void emit_issue(Row rank, Str name, Severity severity, std::int64_t count, Str text) noexcept override;
  void note(Str text) noexcept override;

  [[nodiscard]] const Refusal& refusal() const { return refusal_; }
  /// By rank; output for the job is in the first element.
  [[nodiscard]] std::vector<AnalyzerOutput> release() { return std::move(outputs_); }

 private:
  /// Output for a rank; null, after rejecting the call, if there is no such rank.
  AnalyzerOutput* output_of(Row rank);

  const Descriptor* declared_;
  std::string analyzer_;
  std::vector<std::string> reports_;
  Refusal refusal_;
  std::vector<AnalyzerOutput> outputs_;
  std::set<std::tuple<std::size_t, std::string, std::string>> seen_facts_;
  std::set<std::string> seen_tables_;
};

}  // namespace assay
