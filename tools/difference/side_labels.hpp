// The labels by which profiles of two sides are compared: their side, what tells configurations apart, their recording.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace assay {

/// A side as it was named, and its profiles in the first question of a catalog.
struct SideProfiles {
  std::string option;  ///< "BEFORE"
  std::string name;    ///< what the side is called in the answer
  std::vector<std::filesystem::path> places;
  Catalog catalog = {};
};

/// The profiles of all sides as one catalog for `question`, which gets the labels. Configurations are told apart by the
/// labels that `init` reads from names, where the sides share two or more of them and no run is of a recording: those
/// of repeat runs, captures and ranks count for nothing. Runs of a recording of several cells are compared cell by
/// cell.
Catalog catalog_of_sides(std::vector<SideProfiles> sides, Question& question);

}  // namespace assay
