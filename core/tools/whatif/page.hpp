// Predictions as they are printed.
#pragma once

#include <ostream>
#include <span>

#include "assay/detail/replay_path.hpp"
#include "render/text_table.hpp"
#include "whatif/predict.hpp"

namespace assay::whatif {

/// How well the runs are reproduced, where their time goes, and what the replay does not know of them.
void print_runs(std::span<const Run> runs, std::ostream& to, std::size_t width);

/// Predictions, each with its gain and what limits next.
void print_gains(std::span<const Prediction> gains, std::ostream& to, std::size_t width);

/// One prediction with where the time goes before and after.
void print_prediction(const Prediction& prediction, std::ostream& to, std::size_t width);

/// What the critical paths of the runs go through, by name: median and quartiles over iterations, share, slack.
void print_path(std::span<const Run> runs, replay::By by, const NameRules& classes, RowFormat format, std::ostream& to,
                std::size_t width);

/// The same for programs: a row per prediction, times in ns.
void write_rows(std::span<const Prediction> predictions, RowFormat format, std::ostream& to);

}  // namespace assay::whatif
