#include "pipeline/setup.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <variant>

#include "assay/words.hpp"
#include "config/claim_keys.hpp"
#include "files/did_you_mean.hpp"
#include "load/load.hpp"
#include "some_of.hpp"

namespace assay {
namespace {

/// Reports of the question whose names are parsed, and those of them that are understood.
struct NameCheck {
  std::vector<std::string> unfit;
  std::size_t fit = 0;
};

NameCheck names_of(const Catalog& catalog, const QuestionCatalog& seen) {
  NameCheck names;
  for (const CatalogEntry& entry : seen.entries) {
    const FoundFile& file = catalog.files[entry.file];
    if (entry.role == ReportRole::kNoise || !file.problem.empty()) continue;
    if (entry.name_problems.empty())
      ++names.fit;
    else
      names.unfit.push_back(file.name);
  }
  return names;
}

/// Values of a label in the profiles of a question or in the question itself (declared values, default, suffixes,
/// matrix), sorted; empty if neither a profile nor the matrix has the label, since its values are then unknown.
std::vector<std::string> values_of(const QuestionCatalog& seen, const Question& question, std::string_view name) {
  std::set<std::string> values;
  for (const CatalogEntry& entry : seen.entries) {
    for (const LabelOfReport& label : entry.labels) {
      if (question.labels.labels[label.label].name == name) values.insert(label.text);
    }
  }
  for (const MatrixBlock& block : question.matrix) {
    for (const auto& [label, listed] : block.values) {
      if (label == name) values.insert(listed.begin(), listed.end());
    }
  }
  const auto spec = std::ranges::find(question.labels.labels, name, &LabelSpec::name);
  if (values.empty() || spec == question.labels.labels.end()) return {};
  values.insert(spec->values.begin(), spec->values.end());
  if (spec->default_value) values.insert(*spec->default_value);
  for (const SuffixSpec& suffix : question.labels.suffixes) {
    for (const auto* settings : {&suffix.set, &suffix.implies}) {
      for (const auto& [label, value] : *settings) {
        if (label == name) values.insert(value);
      }
    }
  }
  return {values.begin(), values.end()};
}

/// What names values of a label: options of an analyzer, or keys of a claim.
struct Namer {
  std::string title;
  const OptionSet& options;
  const std::vector<RawOption>& given;
};

std::vector<Namer> namers_of(const PlannedQuestion& planned) {
  std::vector<Namer> namers;
  for (const PlannedAnalyzer& analyzer : planned.analyzers) {
    const auto config = std::ranges::find(planned.question->analyzers, analyzer.plugin->id(), &AnalyzerConfig::id);
    if (config != planned.question->analyzers.end())
      namers.push_back({"[analyzers." + config->id + "]", analyzer.options, config->options});
  }
  for (const PlannedClaim& claim : planned.claims)
    namers.push_back({"[[claim]] " + claim.config->id, claim.keys, claim.config->keys});
  return namers;
}

std::vector<std::string> texts_of(const RawValue& value) {
  if (const auto* one = std::get_if<std::string>(&value.value)) return {*one};
  const auto* many = std::get_if<std::vector<std::string>>(&value.value);
  return many == nullptr ? std::vector<std::string>{} : *many;
}

void add_absent(const Namer& namer, const QuestionCatalog& seen, const Question& question,
                std::vector<Error>& mistakes) {
  const std::vector<OptionSet::Entry>& options = namer.options.entries();
  const auto label = std::ranges::find(options, OptionType::kLabel, &OptionSet::Entry::type);
  const std::string* name = label == options.end() ? nullptr : std::get_if<std::string>(&label->value);
  if (name == nullptr) return;
  const std::vector<std::string> known = values_of(seen, question, *name);
  if (known.empty()) return;
  for (const RawOption& option : namer.given) {
    if (!names_label_values(option.name)) continue;
    for (const std::string& value : texts_of(option.value)) {
      if (value.empty() || std::ranges::binary_search(known, value)) continue;
      const std::string guess = did_you_mean(value, known);
      const std::string problem = fmt::format("{}: {} {}: no {} has {} = '{}'", option.value.pos.str(), namer.title,
                                              option.name, seen.entries.empty() ? "run" : "profile", *name, value);
      const std::string values = fmt::format("the values of '{}' are {}.", *name, some_of(known, 8));
      const std::string recorded = " If its runs are not recorded yet, list it in [labels." + *name + "] values.";
      mistakes.push_back(
          Error{problem}.at(option.value.pos.str()).advise(guess.empty() ? values + recorded : values).suggest(guess));
    }
  }
}

}  // namespace

std::vector<Error> refused_options(const Plan& plan, const std::vector<Analyzers>& analyzers) {
  std::vector<Error> mistakes;
  for (std::size_t q = 0; q < analyzers.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    for (const Analyzers::Refusal& refusal : analyzers[q].refusals()) {
      const auto config = std::ranges::find(question.analyzers, refusal.analyzer, &AnalyzerConfig::id);
      const std::string place = config == question.analyzers.end() ? question.file.string() : config->pos.str();
      mistakes.push_back(
          Error{fmt::format("{}: [analyzers.{}] is refused: {}", place, refusal.analyzer, refusal.sentence)}.at(place));
    }
  }
  return mistakes;
}

std::vector<Error> unfit_patterns(const Plan& plan, const Catalog& catalog) {
  std::vector<Error> mistakes;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    const NameCheck names = names_of(catalog, catalog.questions[q]);
    if (names.fit > 0) return {};
    if (question.labels.patterns.empty() || names.unfit.empty()) continue;
    mistakes.push_back(
        Error{fmt::format("{}: question '{}': [labels] patterns '{}' match the name of none of {}, such as '{}'",
                          question.file.string(), question.id, some_of(question.labels.patterns, 2),
                          counted(names.unfit.size(), "profile"), names.unfit.front())}
            .at(question.file.string())
            .advise("correct them, or let 'assay init' propose patterns for the folder"));
  }
  return mistakes;
}

std::vector<Error> absent_values(const Plan& plan, const Catalog& catalog) {
  std::vector<Error> mistakes;
  const QuestionCatalog nothing;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const QuestionCatalog& seen = catalog.questions.empty() ? nothing : catalog.questions[q];
    for (const Namer& namer : namers_of(plan.questions[q]))
      add_absent(namer, seen, *plan.questions[q].question, mistakes);
  }
  return mistakes;
}

std::vector<Error> absent_windows(const Plan& plan, const Catalog& catalog, const Analysis& analysis) {
  std::vector<Error> mistakes;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    const std::vector<CatalogEntry>& entries = catalog.questions[q].entries;
    std::size_t without = 0;
    std::string why;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].role == ReportRole::kNoise) continue;
      const ReportResult& result = analysis.questions[q][e];
      if (result.loaded) return {};
      if (std::ranges::find(result.issues, "window_missing", &OwnedIssue::name) == result.issues.end()) continue;
      ++without;
      if (why.empty() && !result.skips.empty()) why = result.skips.front().reason;
    }
    if (without == 0) return {};
    const std::string file = question.file.string();
    mistakes.push_back({fmt::format("{}: [window] matches none of {}: {}", file, counted(without, "profile"), why),
                        Exit::kUsage, file, std::string(kOtherWindow)});
  }
  return mistakes;
}

std::vector<Error> absent_iterations(const Plan& plan, const Catalog& catalog, const Analysis& analysis) {
  std::vector<Error> mistakes;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    if (question.iterations.nvtx.empty()) continue;
    std::size_t without = 0;
    std::string why;
    for (std::size_t e = 0; e < catalog.questions[q].entries.size(); ++e) {
      const ReportResult& result = analysis.questions[q][e];
      if (!result.loaded || catalog.questions[q].entries[e].role == ReportRole::kNoise) continue;
      const auto issue = std::ranges::find(result.issues, "no_iterations", &OwnedIssue::name);
      if (issue == result.issues.end()) return {};
      if (why.empty()) why = issue->text;
      ++without;
    }
    // An installed question of a command gets its iterations from the command line.
    const bool option = question.file.parent_path().filename() == "commands";
    const std::string file = option ? "--steps" : question.file.string();
    if (without > 0)
      mistakes.push_back(Error{fmt::format("{}{} matches none of {}: {}", file, option ? "" : ": [iterations]",
                                           counted(without, "profile"), why)}
                             .at(file));
  }
  return mistakes;
}

Error setup_error(std::vector<Error> mistakes) {
  if (mistakes.size() == 1) return mistakes.front();
  Error all{counted(mistakes.size(), "mistake") + " in the setup, so nothing was answered:"};
  for (const Error& mistake : mistakes) all.sentence += "\n  " + mistake.sentence;
  all.parts = std::move(mistakes);
  return all;
}

}  // namespace assay
