#include "analyze/analyze.hpp"
#include "analyze/current_analyzer.hpp"
#include "analyze/emission.hpp"
#include "analyze/isolated.hpp"

namespace assay {

Analyzers Analyzers::make(const PlannedQuestion& question, const process::Limits* isolated) {
  Analyzers analyzers;
  for (const PlannedAnalyzer& planned : question.analyzers) {
    const Descriptor& declared = planned.plugin->descriptor();
    const auto died = isolated == nullptr ? std::nullopt : rehearse_constructor(declared, planned.options, *isolated);
    if (died) {
      analyzers.made_.emplace_back(nullptr);
      analyzers.failures_.push_back({"", text_of(declared.id), "its constructor " + *died, true});
      continue;
    }
    const CurrentAnalyzer current(declared.id.view(), question.question->id);
    ErrorText errors;
    analyzers.made_.emplace_back(declared.create(planned.options, errors));
    if (analyzers.made_.back() == nullptr) {
      const Refusal& refusal = analyzers.refusals_.emplace_back(Refusal{text_of(declared.id), errors.sentence()});
      analyzers.failures_.push_back({"", refusal.analyzer, refusal.reason(), true});
    }
  }
  return analyzers;
}

Analyzers::~Analyzers() = default;
Analyzers::Analyzers(Analyzers&&) noexcept = default;

const Analyzer* Analyzers::at(std::size_t planned) const { return made_[planned].get(); }
const std::vector<Skip>& Analyzers::failures() const { return failures_; }

}  // namespace assay
