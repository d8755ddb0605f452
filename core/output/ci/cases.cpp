#include "ci/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/outcome.hpp"
#include "render/format.hpp"
#include "some_of.hpp"

namespace assay::ci {
namespace {

bool is_decided(const Case& one) { return one.verdict == Verdict::kSupported || one.verdict == Verdict::kRefuted; }

}  // namespace

std::vector<const Case*> GateInput::with(Verdict verdict) const {
  std::vector<const Case*> out;
  for (const Case& one : cases) {
    if (one.verdict == verdict) out.push_back(&one);
  }
  return out;
}

GateInput gate_input(const RunResult& run) {
  GateInput out;
  for (const QuestionRun& question : run.each_question()) {
    for (const OwnedClaim& claim : question.result.claims) {
      const auto& configured = question.question.claims;
      const auto at = std::ranges::find(configured, claim.id, &ClaimConfig::id);
      const SourcePos pos = at != configured.end() ? at->pos : SourcePos{question.question.file.string()};
      out.cases.push_back({question.question.id, claim.id, claim.text, claim.verdict, claim.reason, pos});
    }
  }
  out.decided = std::ranges::any_of(out.cases, is_decided);
  out.undecided = no_decision(out.cases.size());
  return out;
}

GateOutcome gate(const GateInput& input) {
  if (!input.with(Verdict::kRefuted).empty()) return GateOutcome::kFailed;
  const bool open = input.open_undecides && !input.with(Verdict::kInconclusive).empty();
  return open || !input.decided ? GateOutcome::kUndecided : GateOutcome::kPassed;
}

std::string failure_text(const GateInput& input) {
  std::vector<std::string> names;
  for (const Case* one : input.with(Verdict::kRefuted)) names.push_back(one->name());
  return fmt::format("{} refuted ({})", counted(names.size(), "claim"), some_of(names, 5));
}

}  // namespace assay::ci
