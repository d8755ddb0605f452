// Reads the sweep sheets into tested batches, and sets apart the rows that cannot be what they say.
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

/// What is compared and how the sheets are written, from the options.
struct Design {
  std::string label;          ///< the label under test
  std::string base, treated;  ///< its values; so the model column says them too
  std::string batch_label;
  std::string sheet;  ///< id of the [[sheet]]
  std::string batch_column, model_column, rate_column, latency_column, flops_column;
  double tolerance = 0;  ///< of images per batch, relative
};

/// One tested batch: throughputs, images/s, of its rows.
struct Level {
  std::string text;  ///< as in dims
  std::vector<double> base, treated;
};

/// The sheets whose names carry the same labels, together.
struct Sweep {
  LabelTexts labels;                         ///< other than those under test and the batch
  std::map<double, Level> levels;            ///< rows that may be what they say
  std::vector<double> flops, treated_flops;  ///< as stated, one a row that has them
  std::size_t rows = 0, mislabelled = 0;     ///< rows read; those that break the invariant
};

/// A row or column left out, and why: a sentence that begins with the sheet's path.
using LeftOut = std::vector<std::string>;

struct Sweeps {
  std::vector<Sweep> sweeps;  ///< by labels
  LeftOut left_out;
  std::map<std::string, std::size_t> mislabelled;  ///< by path of the sheet, those with none too
};

/// Throughput times latency is the number of images in a batch (Little's law, one batch at a time): a row that differs
/// from the batch it states by more than the tolerance is mislabelled and gives no level, but its FLOPs, which do not
/// depend on the batch, count.
Sweeps read_sweeps(const Study& study, const Design& design);

/// 1 - FLOPs with over without; nothing unless each model states one number throughout. `reason` says why not.
std::optional<double> flop_reduction(const Sweep& sweep, std::string& reason);

}  // namespace assay::tokens
