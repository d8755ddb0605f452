#include "app/setup.hpp"

#include <algorithm>

#include "render/format.hpp"
#include "render/left_out.hpp"

namespace assay {
namespace {

/// Reports of the question whose names are read, and those of them that are understood.
struct Names {
  std::vector<std::string> unfit;
  std::size_t fit = 0;
};

Names names_of(const Catalog& catalog, const QuestionCatalog& seen) {
  Names names;
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

}  // namespace

std::vector<std::string> refused_options(const Plan& plan, const std::vector<Analyzers>& analyzers) {
  std::vector<std::string> mistakes;
  for (std::size_t q = 0; q < analyzers.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    for (const Skip& failure : analyzers[q].failures()) {
      if (!failure.reason.starts_with(Analyzers::kRefused)) continue;
      const auto config = std::ranges::find(question.analyzers, failure.analyzer, &AnalyzerConfig::id);
      const std::string place = config == question.analyzers.end() ? question.file.string() : config->pos.str();
      mistakes.push_back(place + ": [analyzers." + failure.analyzer +
                         "] is refused: " + failure.reason.substr(Analyzers::kRefused.size()));
    }
  }
  return mistakes;
}

std::vector<std::string> unfit_patterns(const Plan& plan, const Catalog& catalog) {
  std::vector<std::string> mistakes;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    const Names names = names_of(catalog, catalog.questions[q]);
    if (names.fit > 0) return {};
    if (question.labels.patterns.empty() || names.unfit.empty()) continue;
    mistakes.push_back(question.file.string() + ": question '" + question.id + "': [labels] patterns '" +
                       some_of(question.labels.patterns, 2) + "' fit the name of none of " +
                       counted(names.unfit.size(), "report") + ", such as '" + names.unfit.front() +
                       "'; correct them, or let 'assay init' propose some for the folder");
  }
  return mistakes;
}

Error setup_error(const std::vector<std::string>& mistakes) {
  if (mistakes.size() == 1) return {mistakes.front()};
  std::string block = counted(mistakes.size(), "mistake") + " in the setup, so nothing was read:";
  for (const std::string& mistake : mistakes) block += "\n  " + mistake;
  return {block};
}

}  // namespace assay
