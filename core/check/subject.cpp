#include "check/subject.hpp"

#include "analyze/one_report.hpp"
#include "cache/bytes.hpp"
#include "conclude/study_sink.hpp"
#include "plugins/consumed.hpp"

namespace assay::check {
namespace {

using cache::ByteWriter;
using Labels = std::vector<std::pair<std::string, std::string>>;

void put(ByteWriter& to, const Fact& fact) {
  to.text(fact.metric);
  to.text(fact.dims);
  to.real(fact.value);
  to.reals(fact.samples);
}

void put(ByteWriter& to, const std::optional<OwnedEffect>& effect) {
  to.flag(effect.has_value());
  if (!effect) return;
  to.text(effect->metric);
  to.text(effect->method);
  to.reals(std::vector<double>{effect->value, effect->lo, effect->hi, effect->level});
  to.integer(effect->n);
}

void put(ByteWriter& to, const Labels& labels) {
  to.number(labels.size());
  for (const auto& [name, value] : labels) {
    to.text(name);
    to.text(value);
  }
}

void put(ByteWriter& to, const std::vector<EvidenceRow>& evidence) {
  to.number(evidence.size());
  for (const EvidenceRow& row : evidence) {
    to.text(row.report);
    to.text(row.metric);
    to.text(row.dims);
  }
}

void put(ByteWriter& to, const OwnedTable& table) {
  to.text(table.id);
  to.text(table.title);
  for (const OwnedTable::Column& column : table.columns) {
    to.text(column.name);
    to.text(column.unit);
    to.integers(column.integers);
    to.reals(column.numbers);
    to.number(column.texts.size());
    for (const std::string& text : column.texts) to.text(text);
  }
}

void put(ByteWriter& to, const GivenVerdict& verdict) {
  to.number(static_cast<std::uint64_t>(verdict.verdict));
  to.text(verdict.reason);
  for (const OwnedStratum& stratum : verdict.strata) {
    put(to, stratum.labels);
    to.number(static_cast<std::uint64_t>(stratum.verdict));
    to.text(stratum.reason);
    put(to, stratum.effect);
    put(to, stratum.evidence);
  }
}

std::string bytes_of(const StudyOutput& output) {
  ByteWriter to;
  for (const auto& [report, fact] : output.facts) {
    to.integer(report);
    put(to, fact);
  }
  for (const OwnedFinding& finding : output.findings) {
    to.text(finding.title);
    to.text(finding.text);
    put(to, finding.effect);
    put(to, finding.labels);
    put(to, finding.evidence);
  }
  for (const OwnedTable& table : output.tables) put(to, table);
  for (const OwnedPlot& plot : output.plots) {
    to.text(plot.id);
    for (const OwnedLayer& layer : plot.layers) put(to, layer.data);
  }
  for (const OwnedTextFile& file : output.text_files) {
    to.text(file.report);
    to.text(file.suffix);
    to.text(file.content);
  }
  for (const auto& [claim, verdict] : output.verdicts) {
    to.number(claim);
    put(to, verdict);
  }
  for (const Skip& skip : output.skips) {
    to.text(skip.report);
    to.text(skip.reason);
  }
  return to.bytes();
}

}  // namespace

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

Concluded Subject::conclude(const Study& study) const {
  RecordingStudySink sink(*declared_, study);
  ErrorText errors;
  const bool came_through = analyzer_->conclude(study, sink, errors);
  Concluded concluded;
  if (const std::optional<std::string> reason = failure(came_through, errors, sink.refusal())) {
    concluded.failure = *reason;
    concluded.refused = !sink.refusal().any();
    return concluded;
  }
  const StudyOutput output = sink.take();
  concluded.bytes = bytes_of(output);
  concluded.facts = output.facts.size();
  concluded.findings = output.findings.size();
  concluded.tables = output.tables.size();
  concluded.plots = output.plots.size();
  return concluded;
}

}  // namespace assay::check
