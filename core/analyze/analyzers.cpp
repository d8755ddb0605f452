#include "analyze/analyze.hpp"
#include "analyze/emission.hpp"

namespace assay {

Analyzers Analyzers::make(const PlannedQuestion& question) {
  Analyzers analyzers;
  for (const PlannedAnalyzer& planned : question.analyzers) {
    const Descriptor& declared = planned.plugin->descriptor();
    ErrorText errors;
    analyzers.made_.emplace_back(declared.create(planned.options, errors));
    if (analyzers.made_.back() == nullptr) {
      analyzers.failures_.push_back({"", text_of(declared.id), "its constructor failed: " + errors.sentence(), true});
    }
  }
  return analyzers;
}

Analyzers::~Analyzers() = default;
Analyzers::Analyzers(Analyzers&&) noexcept = default;

const Analyzer* Analyzers::at(std::size_t planned) const { return made_[planned].get(); }
const std::vector<Skip>& Analyzers::failures() const { return failures_; }

}  // namespace assay
