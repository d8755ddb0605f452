// Writes a prediction as a claim of a question, to be judged by runs.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "whatif/predict.hpp"

namespace assay::whatif {

/// Label values of the runs without and with the change.
struct Pair {
  std::string label, base, treated;
};
/// Parses "variant=base,pinned". Error: invalid.
Result<Pair> read_pair(const std::string& text);

/// The prediction as a [[claim]]: ratio of the step after to before, with its range.
struct Claim {
  std::string id, metric;
  double predicted = 0, low = 0, high = 0;
  std::string toml;
};
/// Errors: the prediction is smaller than the drift; the question has no such label or value, or no iterations although
/// the prediction is about them.
Result<Claim> claim_of(const Prediction& prediction, std::span<const ChangeRequest> changes,
                       std::span<const RunSummary> runs, const Pair& pair, const Question& question);

/// Adds the claim to the question's file, which is replaced as a whole. Errors: it cannot be read, names no or several
/// questions, or cannot be written.
Result<Claim> add_claim(const std::filesystem::path& file, const Prediction& prediction,
                        std::span<const ChangeRequest> changes, std::span<const RunSummary> runs, const Pair& pair);

}  // namespace assay::whatif
