// Which label to compare, and against which value.
#pragma once

#include <string>
#include <vector>

#include "runs/names.hpp"

namespace assay::init {

struct Comparison {
  std::string label, base;
  std::size_t pairs = 0;   ///< of runs that agree in all other labels; 0: there are none
  std::size_t values = 0;  ///< of the label
};

/// Labels that vary and are not descriptive, against a value named like a baseline, else the first, else the one with
/// most pairs. First those with pairs; among these the ones that name a change (one value
/// is named like a baseline), then other words, numbers, and the model; then by most pairs, fewest values, and order in
/// the names.
std::vector<Comparison> comparisons_of(const naming::NameRules& rules);

}  // namespace assay::init
