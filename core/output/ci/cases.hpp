// What a gate looks at: the claims of a run, what a comparison judged, the series of a history.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/stored_results.hpp"

namespace assay::ci {

/// One thing that is judged.
struct Case {
  std::string question = {};  ///< id of the question; "compare" of profiles
  std::string claim = {};     ///< id of the claim; what a budget is for; the series
  std::string text = {};      ///< what is claimed
  Verdict verdict = Verdict::kUntestable;
  std::string reason = {};  ///< of the verdict
  SourcePos pos = {};       ///< of the claim in its TOML; without a line: only the file is known, or nothing

  [[nodiscard]] std::string name() const { return question + ": " + claim; }
};

/// What a gate goes by.
struct GateInput {
  std::vector<Case> cases = {};
  bool decided = false;         ///< whether anything is
  std::string undecided = {};   ///< the sentence for it if nothing is
  bool open_undecides = false;  ///< an inconclusive case leaves the gate undecided: budgets of `compare`

  [[nodiscard]] std::vector<const Case*> with(Verdict verdict) const;
};

/// The claims of all questions, in the order of the TOML.
GateInput gate_input(const RunResult& run);

enum class GateOutcome : std::uint8_t { kPassed, kUndecided, kFailed };

/// Failed if a case is refuted; else undecided if nothing is decided, or an open case undecides.
GateOutcome gate(const GateInput& input);

/// One sentence for what fails: "2 claims refuted (a: b, c: d)".
std::string failure_text(const GateInput& input);

}  // namespace assay::ci
