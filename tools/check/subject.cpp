#include "check/subject.hpp"

#include "analyze/one_report.hpp"
#include "conclude/gather.hpp"
#include "conclude/stored_conclusion.hpp"
#include "plugins/consumed.hpp"

namespace assay::check {

std::string some_metric(const Descriptor& declared) {
  if (!declared.consumes.empty()) {
    return std::string(consumed_name(declared.consumes[0]));
  }
  return declared.produces.empty() ? "a.metric" : std::string(declared.produces[0].id.view());
}

Subject::Subject(const Descriptor& declared, const OptionInputs& given) : declared_(&declared), given_(given) {
  make(given);
  if (refusal_.empty()) return;
  OptionInputs more = given;
  for (auto& named : named_options(declared.options, some_metric(declared))) {
    const bool there = std::any_of(given.begin(), given.end(), [&](const auto& g) { return g.first == named.first; });
    if (!there) more.push_back(std::move(named));
  }
  if (more.size() > given.size()) make(more);
}

void Subject::make(const OptionInputs& given) {
  options_ = std::make_unique<testing::OptionMap>(declared_->options, given);
  ErrorText errors;
  analyzer_.reset(declared_->create(*options_, errors));
  refusal_ = analyzer_ == nullptr ? errors.sentence() : std::string();
}

AnalyzerOutput Subject::analyze_as(const Descriptor& declared, const Report& report) const {
  return run_analyzer(declared, *analyzer_, report);
}

std::vector<AnalyzerOutput> Subject::gather(const std::vector<ReportResult>& ranks) const {
  return gather_ranks(*declared_, *analyzer_, ranks);
}

ConcludeResult Subject::conclude(const Study& study) const {
  RecordingStudySink sink(*declared_, study);
  ErrorText errors;
  const bool came_through = analyzer_->conclude(study, sink, errors);
  ConcludeResult concluded;
  if (const std::optional<std::string> reason = failure(came_through, errors, sink.refusal())) {
    concluded.failure = *reason;
    concluded.refused = !sink.refusal().any();
    return concluded;
  }
  StudyOutput output = sink.release();
  output.notes.clear();
  concluded.bytes = to_bytes(output);
  concluded.facts = output.facts.size();
  concluded.findings = output.findings.size();
  concluded.tables = output.tables.size();
  concluded.plots = output.plots.size();
  return concluded;
}

}  // namespace assay::check
