// Pairs runs of two folders by the labels in their names.
#pragma once

#include <string>
#include <vector>

#include "difference/side.hpp"

namespace assay {

/// Runs of a side with equal labels.
struct SideCell {
  std::string labels;  ///< "bs=8, dtype=bf16"; empty: all runs of the side
  difference::Side side;
};

/// Sides with the same cells in the same order.
struct PairedSides {
  std::vector<std::vector<SideCell>> cells;  ///< by side
  std::vector<std::string> unpaired;         ///< profiles without a partner on another side
};

/// Pairs sides by the labels that `init` reads from names; labels of repeat runs, captures and ranks do not count. A
/// single cell if the sides have fewer than two in common, or if runs belong to a recording.
PairedSides pair_sides(std::vector<difference::Side> sides);

}  // namespace assay
