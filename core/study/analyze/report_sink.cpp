#include "analyze/report_sink.hpp"

#include <fmt/core.h>

namespace assay {

RecordingReportSink::RecordingReportSink(const Descriptor& declared, std::string report, TableStream* stream)
    : declared_(&declared), analyzer_(text_of(declared.id)), report_(std::move(report)), stream_(stream) {}

Emit RecordingReportSink::emit_fact(Str metric, Span<Dim> dims, double value, Span<double> samples) noexcept {
  return contained(refusal_, [&] {
    FactAnswer accepted = accept_fact(*declared_, refusal_, metric, dims, value, samples);
    if (accepted.answer != Emit::kOk) return accepted.answer;
    if (!seen_facts_.emplace(accepted.fact.metric, accepted.fact.dims).second) {
      return refusal_.refuse(Emit::kDuplicate,
                             "the fact " + fact_name(accepted.fact) + " was emitted twice for one profile");
    }
    output_.facts.push_back(std::move(accepted.fact));
    return Emit::kOk;
  });
}

Emit RecordingReportSink::emit_attribute(Str name, Str value) noexcept {
  return contained(refusal_, [&] {
    OwnedAttribute attribute{text_of(name), text_of(value)};
    const auto refuse = [&](Emit answer, const char* problem) {
      return refusal_.refuse(answer, fmt::format("the attribute '{}' {}", attribute.name, problem));
    };
    const bool known = std::any_of(declared_->attributes.begin(), declared_->attributes.end(),
                                   [&](const AttributeSpec& a) { return a.name == attribute.name; });
    if (!known) return refuse(Emit::kUndeclared, "was not declared; add it to kAttributes");
    if (!seen_attributes_.insert(attribute.name).second)
      return refuse(Emit::kDuplicate, "was emitted twice for one profile");
    output_.attributes.push_back(std::move(attribute));
    return Emit::kOk;
  });
}

Emit RecordingReportSink::emit_table(const TableView* table) noexcept {
  return contained(refusal_, [&] {
    if (stream_ != nullptr) return pass_on(table, false);
    const Emit answer = accept_table(table, *declared_, refusal_, seen_tables_, output_.tables);
    if (answer == Emit::kOk) last_table_ = output_.tables.back().id;
    return answer;
  });
}

Emit RecordingReportSink::emit_rows(const TableView* rows) noexcept {
  return contained(refusal_, [&] {
    if (stream_ != nullptr) return pass_on(rows, true);
    OwnedTable more;
    std::string problem = copy_table(rows, more);
    const std::string id = more.id;
    if (problem.empty() && (last_table_.empty() || id != last_table_)) problem = "does not continue the last one";
    if (problem.empty() && !append_rows(output_.tables.back(), std::move(more)))
      problem = "continues with other columns";
    return problem.empty() ? Emit::kOk
                           : refusal_.refuse(Emit::kMalformed, fmt::format("the rows of table '{}' {}", id, problem));
  });
}

Emit RecordingReportSink::emit_rank_rows(const TableView* table) noexcept {
  return contained(refusal_, [&] {
    if ((declared_->stages & kStageGather) == 0)
      return refusal_.refuse(Emit::kUndeclared, "rows for the other ranks were emitted, but there is no stage gather");
    return accept_table(table, *declared_, refusal_, seen_rank_rows_, output_.rank_rows);
  });
}

Emit RecordingReportSink::emit_study_rows(const TableView* table) noexcept {
  return contained(refusal_,
                   [&] { return accept_table(table, *declared_, refusal_, seen_study_rows_, output_.study_rows); });
}

Emit RecordingReportSink::pass_on(const TableView* table, bool more) {
  const std::optional<TableView> view = read_view(table, kFirstTableView);
  if (!view || text_of(view->id).empty()) return refusal_.refuse(Emit::kMalformed, "a table has no id");
  const std::string id = text_of(view->id);
  const auto refuse = [&](Emit answer, const std::string& problem) {
    return refusal_.refuse(answer, fmt::format("the table '{}' {}", id, problem));
  };
  if (more ? id != last_table_ : !seen_tables_.insert(id).second)
    return refuse(more ? Emit::kMalformed : Emit::kDuplicate,
                  more ? "does not continue the last one" : "was emitted twice");
  std::vector<ColumnView> columns;
  if (std::string problem = read_columns(*view, columns); !problem.empty()) return refuse(Emit::kMalformed, problem);
  last_table_ = id;
  TableView own;
  own.id = view->id;
  own.title = view->title;
  own.columns = columns;
  stream_->on_table(report_, own, more);
  return Emit::kOk;
}

void RecordingReportSink::emit_skip(Str metric, Str reason) noexcept {
  emit_skip_by(SkipCause::kOther, metric, reason);
}

void RecordingReportSink::emit_skip_by(SkipCause cause, Str metric, Str reason) noexcept {
  contained(refusal_, [&] {
    const std::string what = text_of(metric);
    // A cause that this host does not know becomes kOther.
    const SkipCause known = cause > SkipCause::kNoFramework ? SkipCause::kOther : cause;
    output_.skips.push_back({report_, analyzer_, (what.empty() ? "" : what + ": ") + text_of(reason), false, known});
    return Emit::kOk;
  });
}

void RecordingReportSink::emit_issue(Str name, Severity severity, std::int64_t count, Str text) noexcept {
  contained(refusal_, [&] {
    OwnedIssue issue{text_of(name), severity, count, text_of(text)};
    if (issue.name.empty() || severity > Severity::kError) {
      return refusal_.refuse(Emit::kMalformed, "the issue '" + issue.name + "' has no name or an unknown severity");
    }
    output_.issues.push_back(std::move(issue));
    return Emit::kOk;
  });
}

void RecordingReportSink::note(Str text) noexcept {
  contained(refusal_, [&] {
    output_.notes.push_back(analyzer_ + ": " + text_of(text));
    return Emit::kOk;
  });
}

}  // namespace assay
