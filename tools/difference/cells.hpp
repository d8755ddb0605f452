// Runs of two folders that have equal labels in their names, which are compared with each other alone.
#pragma once

#include <string>
#include <vector>

#include "difference/side.hpp"

namespace assay {

/// Runs of a side with the same labels.
struct SideCell {
  std::string labels;  ///< "bs=8, dtype=bf16"; empty: all runs of the side
  difference::Side side;
};

/// Sides, each with the same cells in the same order.
struct PairedSides {
  std::vector<std::vector<SideCell>> cells;  ///< by side
  std::vector<std::string> unpaired;         ///< names of profiles that another side has no partner of
};

/// Pairs sides by the labels that `init` reads from names: those that tell repeat runs, captures and ranks apart count
/// for nothing. One cell each where the sides do not share two or more, and where runs are of a recording.
PairedSides pair_sides(std::vector<difference::Side> sides);

}  // namespace assay
