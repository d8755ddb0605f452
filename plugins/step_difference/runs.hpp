// The runs of a study as sides that are compared: by a label, and by all others that tell configurations apart.
#pragma once

#include <string>
#include <vector>

#include "assay/study.hpp"
#include "side.hpp"

namespace assay::difference {

/// Which value of a label is which side.
struct SideChoice {
  std::string label, base;
  std::vector<std::string> treated;
};

/// A run of each side or several, equal in the labels that tell configurations apart.
struct SidePair {
  std::string name;  ///< "flash, bs=8": of the treated side, unique
  std::string cell;  ///< "bs=8"; empty: no label tells configurations apart
  Side before, after;
};

struct SidePairs {
  std::vector<SidePair> pairs;        ///< by treated side, then labels
  std::vector<std::string> unpaired;  ///< reports that another side has no partner of
  std::vector<std::string> empty;     ///< sides without a run that has steps
};

/// The value of `base` that is not given is the first of the label in its order; those of `treated` are all others.
SideChoice chosen_sides(const StudyView& view, SideChoice asked);

SidePairs pairs_of(const StudyView& view, const SideChoice& choice);

}  // namespace assay::difference
