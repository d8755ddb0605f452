// What a gate looks at: the claims of a run, what a comparison judged, the series of a history.
#pragma once

#include <string>
#include <vector>

#include "results/stored_results.hpp"

namespace assay::ci {

/// One thing that is judged.
struct Case {
  std::string question = {};  ///< id of the question; "compare" of profiles
  std::string claim = {};     ///< id of the claim; what a budget is for; the series
  std::string metric = {};    ///< empty: none
  std::string text = {};      ///< what is claimed
  Verdict verdict = Verdict::kUntestable;
  std::string reason = {};  ///< of the verdict
  SourcePos pos = {};       ///< of the claim in its TOML; without a line: only the file is known, or nothing

  [[nodiscard]] std::string name() const { return question + ": " + claim; }
};

/// What there is to judge, and whether anything was decided.
struct Judged {
  std::vector<Case> cases = {};
  bool decided = false;
  std::string undecided = {};  ///< the sentence for it where nothing is
};

/// The claims of all questions, in the order of the TOML.
Judged judged(const RunResult& run);
/// The same of a result read back, which does not know where its claims stand.
Judged judged(const std::vector<StoredQuestion>& questions);

}  // namespace assay::ci
