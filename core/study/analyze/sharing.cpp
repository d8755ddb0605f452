#include "analyze/sharing.hpp"

#include <algorithm>
#include <tuple>

namespace assay {
namespace {

bool equal_options(const OptionSet& a, const OptionSet& b) {
  return std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                    [](const OptionSet::Entry& x, const OptionSet::Entry& y) {
                      return std::tie(x.name, x.type, x.given, x.value) == std::tie(y.name, y.type, y.given, y.value);
                    });
}

}  // namespace

Sharing find_sharing(const Plan& plan) {
  struct Piece {
    std::size_t view;
    const PlannedAnalyzer* analyzer;
  };
  std::vector<Piece> pieces;
  Sharing sharing;
  for (std::size_t q = 0; q < plan.questions.size(); ++q) {
    const Question& question = *plan.questions[q].question;
    std::size_t view = 0;
    while (view < q && !(plan.questions[view].question->window == question.window &&
                         plan.questions[view].question->iterations == question.iterations)) {
      ++view;
    }
    sharing.view.push_back(view);
    std::vector<std::size_t>& works = sharing.work.emplace_back();
    for (const PlannedAnalyzer& analyzer : plan.questions[q].analyzers) {
      const auto at = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) {
        return piece.view == view && piece.analyzer->plugin == analyzer.plugin &&
               equal_options(piece.analyzer->options, analyzer.options);
      });
      works.push_back(static_cast<std::size_t>(at - pieces.begin()));
      if (at == pieces.end()) pieces.push_back({view, &analyzer});
    }
  }
  sharing.works = pieces.size();
  return sharing;
}

}  // namespace assay
