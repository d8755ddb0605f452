#include "ci/cases.hpp"

#include <algorithm>

#include "pipeline/outcome.hpp"
#include "render/claimed_words.hpp"
#include "render/format.hpp"

namespace assay::ci {
namespace {

bool is_decided(const Case& one) { return one.verdict == Verdict::kSupported || one.verdict == Verdict::kRefuted; }

Case case_of(const std::string& question, const OwnedClaim& claim, const SourcePos& pos) {
  Case out{question, claim.id, "", claim.text, claim.verdict, claim.reason, pos};
  if (const auto* metric = claim_key(claim, "metric"); metric != nullptr && !metric->empty())
    out.metric = metric->front();
  return out;
}

Judged with_decision(std::vector<Case> cases) {
  Judged out{std::move(cases)};
  out.decided = std::ranges::any_of(out.cases, is_decided);
  out.undecided = no_decision(out.cases.size());
  return out;
}

}  // namespace

Judged judged(const RunResult& run) {
  std::vector<Case> cases;
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedClaim& claim : question.result.claims) {
      const auto& configured = question.question.claims;
      const auto at = std::ranges::find(configured, claim.id, &ClaimConfig::id);
      const SourcePos pos = at != configured.end() ? at->pos : SourcePos{question.question.file.string()};
      cases.push_back(case_of(question.question.id, claim, pos));
    }
  }
  return with_decision(std::move(cases));
}

Judged judged(const std::vector<StoredQuestion>& questions) {
  std::vector<Case> cases;
  for (const StoredQuestion& question : questions) {
    for (const OwnedClaim& claim : question.result.claims) cases.push_back(case_of(question.id, claim, {}));
  }
  return with_decision(std::move(cases));
}

}  // namespace assay::ci
