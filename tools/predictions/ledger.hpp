// The ledger of predictions: each that was judged on runs, with what the runs said.
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

/// A stratum of a claim that says what `assay whatif` predicted: the time with the change over that without it.
struct JudgedPrediction {
  std::string time;  ///< when it was judged, UTC
  std::string question, claim, metric;
  std::vector<std::string> change;                           ///< options of whatif: "--overlap copy:h2d"
  std::string labels;                                        ///< of the stratum: "patch=8;depth=6"
  double predicted = 0, low = 0, high = 0;                   ///< ratio, and the claimed range
  double measured = 0, measured_low = 0, measured_high = 0;  ///< NaN ends: no interval
  std::string verdict;
  /// What kind of change: "overlap", "scale kernel", "several".
  [[nodiscard]] std::string kind() const;
  [[nodiscard]] bool inside() const { return measured >= low && measured <= high; }
};

/// Of all claims of a run that have a prediction and were measured.
std::vector<JudgedPrediction> judged(const RunResult& run);

struct Ledger {
  std::vector<JudgedPrediction> latest;  ///< the last line of each prediction and stratum, in the order of the file
  std::size_t lines = 0;
  std::vector<std::string> damaged;  ///< "FILE:LINE: what is wrong"
};

/// Error (exit 3): it cannot be read.
Result<Ledger> read_ledger(const std::filesystem::path& file);

/// Adds those that say something new. Error (exit 3): it cannot be written. How many lines it got.
Result<std::size_t> append(const std::filesystem::path& file, std::span<const JudgedPrediction> judged);

/// How the predictions of one kind of change fared.
struct Score {
  std::string kind;
  std::size_t count = 0, inside = 0, supported = 0, refuted = 0;
  double coverage_low = 0, coverage_high = 0;  ///< exact 95 % interval of the share inside their range
  double bias = 0;                             ///< mean of measured over predicted, geometric
  double bias_low = 0, bias_high = 0;          ///< 95 %; NaN for a single one
};
/// Kinds by name, and all together last where there are several.
std::vector<Score> scores(std::span<const JudgedPrediction> judged);

/// A row for each prediction, for programs.
void write_ledger(const Ledger& ledger, RowFormat format, std::ostream& to);

/// The scores and each prediction, for people.
void print_ledger(const Ledger& ledger, std::ostream& to, std::size_t width);

}  // namespace assay::predictions
