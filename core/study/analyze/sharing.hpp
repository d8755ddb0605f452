// Which work is common to several questions, so that it is done once a report.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"

namespace assay {

/// The same analyzer with the same options on the same window and iterations gives the same for every question.
struct Sharing {
  std::vector<std::size_t> view;  ///< [question]: first question with equal window and iterations
  std::vector<std::vector<std::size_t>>
      work;  ///< [question][analyzer]: number of the piece of work, equal where shared
  std::size_t works = 0;
};

Sharing find_sharing(const Plan& plan);

}  // namespace assay
