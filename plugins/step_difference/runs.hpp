// Makes the runs of a study sides of comparisons: by one label, and by all others that distinguish configurations.
#pragma once

#include <string>
#include <vector>

#include "assay/study.hpp"
#include "side.hpp"

namespace assay::difference {

/// The values of a label that are sides.
struct SideChoice {
  std::string label, base;
  std::vector<std::string> treated;
};

/// Runs of two sides that are equal in the labels that distinguish configurations.
struct SidePair {
  std::string name;  ///< "flash, bs=8": of the treated side, unique
  std::string cell;  ///< "bs=8"; empty: no label distinguishes configurations
  Side before, after;
};

struct SidePairs {
  std::vector<SidePair> pairs;        ///< by treated side, then labels
  std::vector<std::string> unpaired;  ///< reports without a partner on another side
  std::vector<std::string> empty;     ///< sides without a run that has steps
};

/// Without a `base` it is the first value of the label in its order; without `treated` all others are.
SideChoice chosen_sides(const StudyView& view, SideChoice asked);

SidePairs pairs_of(const StudyView& view, const SideChoice& choice);

}  // namespace assay::difference
