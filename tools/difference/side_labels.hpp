// Labels of the profiles of two sides: their side, what distinguishes configurations, their recording.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "result.hpp"
#include "runs/configurations.hpp"

namespace assay {

/// A side as given by the user, and its profiles in the first question of a catalog.
struct SideProfiles {
  std::string option;  ///< "BEFORE"
  std::string name;    ///< of the side in the answer
  std::vector<std::filesystem::path> places;
  Catalog catalog = {};
  std::string label = {};  ///< of names, whose value the side is; empty: none
};

/// The profiles of all sides as one catalog for `question`, which gets the labels. Configurations are distinguished by
/// the labels of names that judge_names leaves, if the sides have two or more in common and no run is of a recording.
/// Runs of a recording of several cells are compared cell by cell. `assumed`: what was taken for a repeat or a label.
/// Error: runs of one configuration and side ran different programs.
Result<Catalog> catalog_of_sides(std::vector<SideProfiles> sides, Question& question, const RunChoice& choice,
                                 std::vector<std::string>& assumed);

}  // namespace assay
