// Makes the runs of a study sides of comparisons: by one label, and by all others that distinguish configurations.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/matching.hpp"
#include "comparison.hpp"

namespace assay::difference {

/// Runs of two sides that are equal in the labels that distinguish configurations.
struct SidePair {
  std::string name;  ///< "flash, bs=8": of the treated side, unique
  std::string cell;  ///< "bs=8"; empty: no label distinguishes configurations
  Side before, after;
  JobPace pace;
};

struct SidePairs {
  std::vector<SidePair> pairs;        ///< by treated side, then labels
  std::vector<std::string> unpaired;  ///< reports without a partner on another side
  std::vector<std::string> empty;     ///< sides of a pair without a run that has steps
};

SidePairs pairs_of(const StudyView& view, const std::vector<LabelPair>& sides);

}  // namespace assay::difference
