// Samples that no board can have: a damaged file must not become an energy.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "course.hpp"

namespace assay::energy {

struct ImpossibleReadings {
  std::size_t samples = 0;  ///< of all
  std::size_t times = 0;    ///< samples out of order, or there twice
  std::size_t energies = 0, powers = 0, clocks = 0, ratios = 0;

  /// One for each kind that there is: "3 of 120 samples have a clock of 0 or less, or above 50 GHz".
  [[nodiscard]] std::vector<std::string> clauses() const;
};

/// Of one GPU, in the order of the file, which is that of time (or the reverse of it). Drops samples out of that order
/// or with the time of another, and energies that fall or rise faster than any board draws, powers and clocks out of
/// bounds, and ratios of throttling outside of 0 to 1.
void leave_out_impossible(std::vector<PowerSample>& samples, ImpossibleReadings& count);

}  // namespace assay::energy
