// Which label is compared, and with which value.
#pragma once

#include <string>
#include <vector>

#include "propose/names.hpp"

namespace assay::init {

struct Comparison {
  std::string label, base;
  std::size_t pairs = 0;   ///< of runs that are equal in all other labels; 0: there is none
  std::size_t values = 0;  ///< of the label
};

/// Labels that vary and do not only describe. First those of which there are pairs; among these what names a change
/// (one of its values is named like a baseline), then other words, numbers, and the model; then that with most
/// pairs, with fewer values, and in the order of names.
std::vector<Comparison> comparisons_of(const NameRules& rules);

}  // namespace assay::init
