// Strata of a claim and rows of evidence, arranged for people: what is equal in all of them is said once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

struct StrataText {
  std::string common;               ///< labels equal in all strata: "gpu=0 px=224"; empty with fewer than two
  std::vector<std::string> labels;  ///< the other labels of each stratum
  std::string effect;  ///< what the effects are, when they are all the same: "ratio of iteration.period_ns"
  std::optional<std::string> basis;   ///< how the intervals were made; nothing when that differs
  std::optional<std::string> reason;  ///< why; nothing when that differs
};
StrataText strata_text(const std::vector<OwnedStratum>& strata);

/// Strata of one verdict and the range of their effects' values: "refuted", 39, "51.9 to 53.0 GB/s".
struct VerdictRange {
  Verdict verdict;
  std::size_t count = 0;
  std::string values;  ///< empty when none has an effect
};
/// In the order of Verdict, without those that no stratum has.
std::vector<VerdictRange> verdict_ranges(const std::vector<OwnedStratum>& strata);

/// How an interval was made: "95 % interval, between-run; bootstrap BCa".
std::string basis_of(const OwnedEffect& effect);

/// Neighbouring findings whose effects are of one kind and metric, or neighbours of one analyzer without effects.
struct EvidenceGroup {
  std::vector<const OwnedFinding*> findings;
  std::string effect;  ///< empty without one
  std::string common;  ///< labels equal in all of them; empty for none
  std::string values;  ///< range of the effects' values
};
std::vector<EvidenceGroup> evidence_groups(const std::vector<OwnedFinding>& findings);

}  // namespace assay
