// The ledger of predictions: each one that was checked by runs, with the result.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "pipeline/run_result.hpp"
#include "render/text_table.hpp"
#include "result.hpp"

namespace assay::predictions {

inline constexpr const char* kLedger = "predictions.jsonl";

/// A stratum of a claim with a prediction of `assay whatif`: the time with the change divided by that without it.
struct JudgedPrediction {
  std::string time;  ///< when it was checked, UTC
  std::string question, claim, metric;
  std::vector<std::string> change;                           ///< options of whatif: "--overlap copy:h2d"
  std::string labels;                                        ///< of the stratum: "patch=8;depth=6"
  double predicted = 0, low = 0, high = 0;                   ///< ratio, and the claimed range
  double measured = 0, measured_low = 0, measured_high = 0;  ///< NaN bounds: no interval
  std::string verdict;
  /// Kind of change: "overlap", "scale kernel", "several".
  [[nodiscard]] std::string kind() const;
  [[nodiscard]] bool inside() const { return measured >= low && measured <= high; }
};

/// From all claims of a run with a prediction and a measurement.
std::vector<JudgedPrediction> judged(const RunResult& run);

struct Ledger {
  std::vector<JudgedPrediction> latest;  ///< the last line of each prediction and stratum, in file order
  std::size_t lines = 0;
  std::vector<std::string> damaged;  ///< "FILE:LINE: what is wrong"
};

/// Error (exit 3): it cannot be read.
Result<Ledger> read_ledger(const std::filesystem::path& file);

/// Appends the new or changed ones and returns their number. Error (exit 3): it cannot be written.
Result<std::size_t> append(const std::filesystem::path& file, std::span<const JudgedPrediction> judged);

/// Accuracy of the predictions for one kind of change.
struct Score {
  std::string kind;
  std::size_t count = 0, inside = 0, supported = 0, refuted = 0;
  double coverage_low = 0, coverage_high = 0;  ///< exact 95 % interval of the share inside their range
  double bias = 0;                             ///< geometric mean of measured over predicted
  double bias_low = 0, bias_high = 0;          ///< 95 %; NaN with a single prediction
};
/// Kinds by name, and if there are several, all together at the end.
std::vector<Score> scores(std::span<const JudgedPrediction> judged);

/// One row per prediction, for programs.
void write_ledger(const Ledger& ledger, RowFormat format, std::ostream& to);

/// The scores and each prediction, as text.
void print_ledger(const Ledger& ledger, std::ostream& to, std::size_t width);

}  // namespace assay::predictions
