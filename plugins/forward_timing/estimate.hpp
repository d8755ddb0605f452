// The middle of the times of several passes, and how well they tell it.
#pragma once

#include <cstddef>
#include <span>

namespace assay::timing {

/// A time with the interval of itself, not of the single passes. Of one pass, or of passes timed together, nothing
/// tells how far it may be off: `low` and `high` are `ns` then.
struct Estimate {
  double ns = 0;
  double low = 0, high = 0;
  std::size_t samples = 1;
};

Estimate single_value(double ns);

/// Median and mean of passes in the order in which they ran. From 20 passes on the interval is a block bootstrap, which
/// passes that depend on their neighbours widen; of fewer it is that of Student on their spread.
Estimate median_of(std::span<const double> passes, double level);
Estimate mean_of(std::span<const double> passes, double level);

/// How one time stands to another.
enum class Agreement { kAgrees, kLonger, kShorter, kOpen };

/// The difference agrees with none when it is less than `within` of `traced`, or when it is no more than both
/// uncertainties together and these are less than `open_above` of `traced`; larger ones leave it open.
Agreement agreement(const Estimate& program, const Estimate& traced, double within, double open_above);

}  // namespace assay::timing
