#include "check/studies.hpp"

#include "check/jobs.hpp"
#include "check/replies.hpp"
#include "check/small_reports.hpp"
#include "plugins/consumed.hpp"

namespace assay::check {
namespace {

using testing::OptionMap;
using testing::StudyBuilder;

/// Keys of the only claim; empty if the judge rejects it.
std::optional<OptionInputs> claim_keys(const Descriptor& declared) {
  if ((declared.stages & kStageJudge) == 0) return std::nullopt;
  for (OptionInputs keys : {OptionInputs{}, named_options(declared.claim_keys, some_metric(declared))}) {
    ErrorText errors;
    const OptionMap checked(declared.claim_keys, keys);
    if (declared.check_claim == nullptr || declared.check_claim(checked, errors)) return keys;
  }
  return std::nullopt;
}

/// Labels named in options, with a value per report: numbers, or values used in a condition.
StudyBuilder::LabelValues labels_of(const OptionReferences& named, int report) {
  std::map<std::string, std::string> values{{"size", std::to_string(report + 1)}};
  for (const std::string& label : named.labels) values.emplace(label, std::to_string(report + 1));
  for (const auto& [label, value] : named.conditions) values.insert_or_assign(label, value);
  return {values.begin(), values.end()};
}

/// Output of the analyzer itself for a report that has everything.
void add_own(const Subject& subject, int report, StudyBuilder::ReportEntry& to, std::set<std::string>& attributes) {
  if ((subject.declared().stages & kStageAnalyze) == 0) return;
  ReportBuilder builder("report_" + std::to_string(report));
  fill_every_table(builder, report + 1);
  AnalyzerOutput output = subject.analyze(builder.build());
  if (gathers(subject.declared())) {
    std::vector<AnalyzerOutput> job = gathered(subject, 2);
    for (Fact& fact : job.front().facts) output.facts.push_back(std::move(fact));
  }
  for (const Fact& fact : output.facts) to.fact(fact.metric, fact.value, fact.dims, fact.samples);
  for (const OwnedAttribute& own : output.attributes) {
    if (attributes.insert(own.name).second) to.attribute(own.name, own.value);
  }
}

/// Output of other analyzers: names do not distinguish metrics from attributes, so each is both.
void add_foreign(const std::set<std::string>& names, int report, StudyBuilder::ReportEntry& to,
                 std::set<std::string>& attributes) {
  const double value = 100.0 * (report + 1);
  for (const std::string& name : names) {
    to.fact(name, value, {}, {value - 2, value - 1, value, value + 1, value + 2});
    if (attributes.insert(name).second) to.attribute(name, "text of " + name);
  }
}

std::set<std::string> foreign_names(const Descriptor& declared, const OptionReferences& named) {
  std::set<std::string> names = named.metrics;
  for (const Str consumed : declared.consumes) {
    names.emplace(consumed_name(consumed));
  }
  for (const MetricSpec& own : declared.produces) names.erase(std::string(own.id.view()));
  return names;
}

/// Common to all synthetic studies: names in options and the only claim, and the metrics.
class MadeUpStudy {
 public:
  explicit MadeUpStudy(const Subject& subject) : subject_(subject), declared_(subject.declared()) {
    add_named(declared_.options, subject.options(), named_);
    keys_ = claim_keys(declared_);
    if (!keys_) return;
    const OptionMap claim(declared_.claim_keys, *keys_);
    add_named(declared_.claim_keys, claim, named_);
  }

  [[nodiscard]] const OptionReferences& named() const { return named_; }
  [[nodiscard]] StudyBuilder& study() { return *study_; }

  void add_report(int number, int scale, StudyBuilder::LabelValues labels) {
    StudyBuilder::ReportEntry& entry = study_->report("report_" + std::to_string(number), std::move(labels));
    std::set<std::string> attributes;
    add_own(subject_, scale, entry, attributes);
    add_foreign(foreign_names(declared_, named_), scale, entry, attributes);
  }

  std::unique_ptr<StudyBuilder> finish() {
    for (const MetricSpec& own : declared_.produces)
      study_->metric(std::string(own.id.view()), std::string(own.unit.view()), own.polarity);
    if (keys_) study_->claim("claim", "It is so.", declared_.claim_keys, *keys_);
    return std::move(study_);
  }

 private:
  const Subject& subject_;
  const Descriptor& declared_;
  OptionReferences named_;
  std::optional<OptionInputs> keys_;
  std::unique_ptr<StudyBuilder> study_ = std::make_unique<StudyBuilder>();
};

using Levels = std::vector<std::string>;

/// Labels of a comparison, each with at least two values.
std::vector<std::pair<std::string, Levels>> compared_labels(const OptionReferences& named) {
  constexpr std::size_t kMaxLabels = 3;
  std::map<std::string, Levels> levels;
  for (const auto& [label, value] : named.conditions) levels[label].push_back(value);
  for (const std::string& label : named.labels) levels[label];
  if (levels.empty()) levels["size"];
  if (named.texts.size() > 1 && levels[named.compared].empty()) levels[named.compared] = named.texts;
  std::vector<std::pair<std::string, Levels>> compared;
  for (auto& [label, values] : levels) {
    if (label.empty()) continue;
    if (values.empty()) values = {"1"};
    if (values.size() == 1) values.emplace_back(values[0] == "2" ? "3" : "2");
    values.resize(2);
    if (compared.size() == kMaxLabels) values.resize(1);
    compared.emplace_back(label, values);
  }
  return compared;
}

}  // namespace

std::unique_ptr<StudyBuilder> study_of(const Subject& subject, int reports) {
  MadeUpStudy made(subject);
  for (const auto& [label, value] : labels_of(made.named(), 0)) {
    const bool condition = std::any_of(made.named().conditions.begin(), made.named().conditions.end(),
                                       [&](const auto& c) { return c.first == label; });
    made.study().label(label, condition ? StudyBuilder::kText : StudyBuilder::kNumeric);
  }
  for (int r = 0; r < reports; ++r) made.add_report(r, r, labels_of(made.named(), r));
  return made.finish();
}

std::unique_ptr<StudyBuilder> comparison_of(const Subject& subject) {
  constexpr int kReplicates = 2, kApart = 10;  // runs of one combination differ by a tenth of the difference between
                                               // two combinations
  MadeUpStudy made(subject);
  std::vector<StudyBuilder::LabelValues> cells{{}};
  for (const auto& [label, values] : compared_labels(made.named())) {
    const bool numbers = std::ranges::all_of(
        values, [](const std::string& value) { return value.find_first_not_of("0123456789") == std::string::npos; });
    made.study().label(label, numbers ? StudyBuilder::kNumeric : StudyBuilder::kText);
    std::vector<StudyBuilder::LabelValues> more;
    for (const StudyBuilder::LabelValues& cell : cells) {
      for (const std::string& value : values) more.emplace_back(cell).emplace_back(label, value);
    }
    cells = std::move(more);
  }
  int number = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (int replicate = 0; replicate < kReplicates; ++replicate)
      made.add_report(number++, kApart * (static_cast<int>(cell) + 1) + replicate, cells[cell]);
  }
  return made.finish();
}

}  // namespace assay::check
