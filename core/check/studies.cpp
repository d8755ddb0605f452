#include "check/studies.hpp"

#include "check/small_reports.hpp"
#include "plugins/consumed.hpp"

namespace assay::check {
namespace {

using testing::OptionMap;
using testing::StudyBuilder;

/// The keys of the one claim; nothing when the judge would not have it.
std::optional<OptionInputs> claim_keys(const Descriptor& declared) {
  if ((declared.stages & kStageJudge) == 0) return std::nullopt;
  for (OptionInputs keys : {OptionInputs{}, named_options(declared.claim_keys, some_metric(declared))}) {
    ErrorText errors;
    const OptionMap checked(declared.claim_keys, keys);
    if (declared.check_claim == nullptr || declared.check_claim(checked, errors)) return keys;
  }
  return std::nullopt;
}

/// Labels that options name, with a value for every report: numbers, or what a condition asks for.
StudyBuilder::LabelValues labels_of(const NamedThings& named, int report) {
  std::map<std::string, std::string> values{{"size", std::to_string(report + 1)}};
  for (const std::string& label : named.labels) values.emplace(label, std::to_string(report + 1));
  for (const auto& [label, value] : named.conditions) values.insert_or_assign(label, value);
  return {values.begin(), values.end()};
}

/// What the analyzer itself finds in a report that has everything.
void add_own(const Subject& subject, int report, StudyBuilder::ReportEntry& to, std::set<std::string>& attributes) {
  if ((subject.declared().stages & kStageAnalyze) == 0) return;
  ReportBuilder builder("report_" + std::to_string(report));
  fill_every_table(builder, report + 1);
  const AnalyzerOutput output = subject.analyze(builder.build());
  for (const Fact& fact : output.facts) to.fact(fact.metric, fact.value, fact.dims, fact.samples);
  for (const OwnedAttribute& own : output.attributes) {
    if (attributes.insert(own.name).second) to.attribute(own.name, own.value);
  }
}

/// What others would have found: names do not tell metrics from attributes, so that each is both.
void add_foreign(const std::set<std::string>& names, int report, StudyBuilder::ReportEntry& to,
                 std::set<std::string>& attributes) {
  const double value = 100.0 * (report + 1);
  for (const std::string& name : names) {
    to.fact(name, value, {}, {value - 2, value - 1, value, value + 1, value + 2});
    if (attributes.insert(name).second) to.attribute(name, "text of " + name);
  }
}

std::set<std::string> foreign_names(const Descriptor& declared, const NamedThings& named) {
  std::set<std::string> names = named.metrics;
  for (const Str consumed : declared.consumes) {
    names.emplace(consumed_name(consumed));
  }
  for (const MetricSpec& own : declared.produces) names.erase(std::string(own.id.view()));
  return names;
}

}  // namespace

std::unique_ptr<StudyBuilder> study_of(const Subject& subject, int reports) {
  const Descriptor& declared = subject.declared();
  auto study = std::make_unique<StudyBuilder>();
  NamedThings named;
  add_named(declared.options, subject.options(), named);
  const std::optional<OptionInputs> keys = claim_keys(declared);
  if (keys) {
    const OptionMap claim(declared.claim_keys, *keys);
    add_named(declared.claim_keys, claim, named);
  }
  for (const auto& [label, value] : labels_of(named, 0)) {
    const bool condition =
        std::any_of(named.conditions.begin(), named.conditions.end(), [&](const auto& c) { return c.first == label; });
    study->label(label, condition ? StudyBuilder::kText : StudyBuilder::kNumeric);
  }
  for (const MetricSpec& own : declared.produces)
    study->metric(std::string(own.id.view()), std::string(own.unit.view()), own.polarity);
  for (int r = 0; r < reports; ++r) {
    StudyBuilder::ReportEntry& entry = study->report("report_" + std::to_string(r), labels_of(named, r));
    std::set<std::string> attributes;
    add_own(subject, r, entry, attributes);
    add_foreign(foreign_names(declared, named), r, entry, attributes);
  }
  if (keys) study->claim("claim", "It is so.", declared.claim_keys, *keys);
  return study;
}

}  // namespace assay::check
