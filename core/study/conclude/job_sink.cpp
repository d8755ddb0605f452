#include "conclude/job_sink.hpp"

#include <utility>

namespace assay {

RecordingJobSink::RecordingJobSink(const Descriptor& declared, std::vector<std::string> reports)
    : declared_(&declared), analyzer_(text_of(declared.id)), reports_(std::move(reports)), outputs_(reports_.size()) {}

AnalyzerOutput* RecordingJobSink::output_of(Row rank) {
  const std::size_t row = rank == kNone ? 0 : static_cast<std::size_t>(rank);
  if (rank >= kNone && row < outputs_.size()) return &outputs_[row];
  refusal_.refuse(Emit::kMalformed, "something was emitted for a rank that is not in the job");
  return nullptr;
}

Emit RecordingJobSink::emit_fact(Row rank, Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept {
  return contained(refusal_, [&] {
    FactAnswer accepted = accept_fact(*declared_, refusal_, metric, dims, value, samples);
    if (accepted.answer != Emit::kOk) return accepted.answer;
    AnalyzerOutput* output = output_of(rank);
    if (output == nullptr) return Emit::kMalformed;
    const auto row = static_cast<std::size_t>(output - outputs_.data());
    if (!seen_facts_.emplace(row, accepted.fact.metric, accepted.fact.dims).second) {
      return refusal_.refuse(Emit::kDuplicate,
                             "the fact " + fact_name(accepted.fact) + " was emitted twice for one rank of a job");
    }
    output->facts.push_back(std::move(accepted.fact));
    return Emit::kOk;
  });
}

Emit RecordingJobSink::emit_table(const TableView* table) noexcept {
  return contained(refusal_, [&] {
    if (outputs_.empty()) return Emit::kMalformed;
    return accept_table(table, *declared_, refusal_, seen_tables_, outputs_.front().tables);
  });
}

void RecordingJobSink::emit_skip(Row rank, Str metric, Str reason) noexcept {
  contained(refusal_, [&] {
    AnalyzerOutput* output = output_of(rank);
    if (output == nullptr) return Emit::kMalformed;
    const std::string what = text_of(metric);
    output->skips.push_back({reports_[static_cast<std::size_t>(output - outputs_.data())], analyzer_,
                             (what.empty() ? "" : what + ": ") + text_of(reason), false});
    return Emit::kOk;
  });
}

void RecordingJobSink::emit_issue(Row rank, Str name, Severity severity, std::int64_t count, Str text) noexcept {
  contained(refusal_, [&] {
    AnalyzerOutput* output = output_of(rank);
    if (output == nullptr) return Emit::kMalformed;
    OwnedIssue issue{text_of(name), severity, count, text_of(text)};
    if (issue.name.empty() || severity > Severity::kError) {
      return refusal_.refuse(Emit::kMalformed, "the issue '" + issue.name + "' has no name or an unknown severity");
    }
    output->issues.push_back(std::move(issue));
    return Emit::kOk;
  });
}

void RecordingJobSink::note(Str text) noexcept {
  contained(refusal_, [&] {
    if (!outputs_.empty()) outputs_.front().notes.push_back(analyzer_ + ": " + text_of(text));
    return Emit::kOk;
  });
}

}  // namespace assay
