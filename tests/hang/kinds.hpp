// Jobs that hang in known ways.
#pragma once

#include <random>
#include <set>
#include <string>
#include <vector>

#include "made_job.hpp"

namespace assay::made {

struct Case {
  MadeJob job;
  std::set<std::int64_t> guilty;  ///< ranks that cause it
  bool shows = false;             ///< the dumps show every guilty rank
};

std::vector<std::string> kinds();

/// A job of the kind with so many ranks; the same for the same seed.
Case made_case(const std::string& kind, std::size_t ranks, unsigned seed);

}  // namespace assay::made
