// The configurations found in a folder, each as a side of a comparison.
#pragma once

#include <string>
#include <vector>

#include "difference/side_labels.hpp"

namespace assay {

/// The sides of a folder, in the order of their values, or with the one first that --by names.
struct FolderSides {
  std::vector<SideProfiles> sides;
  std::string label;                ///< whose values the sides are, or the first that differs between them
  std::vector<std::string> values;  ///< of it, by side
};

/// The configurations of the profiles at `places`; with `choice.by` the values of this label, whose runs are compared
/// where all other labels are equal. "LABEL=VALUE" puts that value first. Errors (exit 2): fewer than two, with why; a
/// label or value that the names do not have, with the nearest.
Result<FolderSides> sides_at(const std::vector<std::filesystem::path>& places, const Question& sheets,
                             RunChoice& choice);

}  // namespace assay
