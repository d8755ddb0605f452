// Arranges strata of a claim and rows of evidence for people: states common values once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

struct StrataText {
  std::string common;                 ///< labels equal in all strata: "gpu=0 px=224"; empty with fewer than two
  std::vector<std::string> labels;    ///< the other labels of each stratum
  std::string effect;                 ///< what all effects are: "ratio of iteration.period_ns"; empty if they differ
  std::optional<std::string> basis;   ///< how all intervals were computed; empty if that differs
  std::optional<std::string> reason;  ///< common reason; empty if reasons differ
};
StrataText strata_text(const std::vector<OwnedStratum>& strata);

/// Strata with one verdict and the range of their effects: "refuted", 39, "51.9 to 53.0 GB/s".
struct VerdictRange {
  Verdict verdict;
  std::size_t count = 0;
  std::string values;  ///< empty if none has an effect
};
/// In the order of Verdict, without verdicts that no stratum has.
std::vector<VerdictRange> verdict_ranges(const std::vector<OwnedStratum>& strata);

/// How an interval was computed: "95 % interval, between-run; bootstrap BCa".
std::string basis_of(const OwnedEffect& effect);

/// Adjacent findings whose effects have one kind and metric, or adjacent findings of one analyzer without effects.
struct EvidenceGroup {
  std::vector<const OwnedFinding*> findings;
  std::string effect;  ///< empty without one
  std::string common;  ///< labels common to all; empty: none
  std::string values;  ///< range of the effects' values
};
std::vector<EvidenceGroup> evidence_groups(const std::vector<OwnedFinding>& findings);

}  // namespace assay
