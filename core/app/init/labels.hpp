// Which label is compared, and with which value.
#pragma once

#include <string>
#include <vector>

#include "app/init/names.hpp"

namespace assay::init {

struct Comparison {
  std::string label, base;
  std::size_t pairs = 0;  ///< of runs that are equal in all other labels; 0: there is none
};

/// Labels that vary and do not only describe, that with most pairs first; of equal ones that with fewer values, then in
/// the order of names.
std::vector<Comparison> comparisons_of(const NameRules& rules);

}  // namespace assay::init
