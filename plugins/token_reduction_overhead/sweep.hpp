// Reads the sweep sheets into tested batches, and separates the rows that are inconsistent.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/sheets.hpp"
#include "assay/study.hpp"
#include "assay/words.hpp"

namespace assay::tokens {

/// The comparison and the layout of the sheets, from the options.
struct Design {
  std::string label;          ///< the label under test
  std::string base, treated;  ///< its values, as also written in the model column
  std::string batch_label;
  std::string sheet;     ///< id of the [[sheet]]
  double tolerance = 0;  ///< of images per batch, relative
};

/// Columns of the sheet: throughput in images/s, ms of one batch, FLOPs of one image in any unit.
inline constexpr const char *kBatchColumn = "batch_size", *kModelColumn = "model", *kRateColumn = "tp",
                            *kLatencyColumn = "latency_ms", *kFlopsColumn = "flops";

/// One tested batch: throughputs of its rows in images/s.
struct Level {
  std::string text;  ///< as in dims
  std::vector<double> base, treated;
};

/// The sheets whose names have the same labels, together.
struct Sweep {
  LabelTexts labels;                         ///< except those under test and the batch
  std::map<double, Level> levels;            ///< consistent rows
  std::vector<double> flops, treated_flops;  ///< as stated, one per row that has them
  std::size_t rows = 0, mislabelled = 0;     ///< rows read, and those that violate the invariant
};

/// An excluded row or column with the reason: a sentence that begins with the sheet's path.
using LeftOut = std::vector<std::string>;

struct Sweeps {
  std::vector<Sweep> sweeps;  ///< by labels
  LeftOut left_out;
  std::map<std::string, std::size_t> mislabelled;  ///< by path of the sheet, including those with none
};

/// Throughput times latency is the number of images in a batch (Little's law, one batch at a time): a row that differs
/// from its stated batch by more than the tolerance is mislabelled and gives no level. Its FLOPs, which do not depend
/// on the batch, still count.
Sweeps read_sweeps(const Study& study, const Design& design);

/// 1 - FLOPs with over without; empty unless each model states a single number throughout. `reason`: why not.
std::optional<double> flop_reduction(const Sweep& sweep, std::string& reason);

}  // namespace assay::tokens
