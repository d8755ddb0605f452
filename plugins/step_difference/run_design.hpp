// How the runs of two sides were made: in blocks, alternating, or one side after the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge.hpp"
#include "side.hpp"

namespace assay::difference {

class RunDesign {
 public:
  RunDesign(const Side& before, const Side& after);

  /// Values of the runs of each side, in the order of Side::runs, for the test.
  [[nodiscard]] RunValues values_of(const std::vector<double>& before, const std::vector<double>& after) const;

  /// ", in blocks fixed beforehand", or what the order of the runs costs and how to avoid it; empty: neither.
  [[nodiscard]] std::string order_text() const;

 private:
  void find_blocks(const Side& before, const Side& after);
  void find_order(const Side& before, const Side& after);

  bool fixed_ = false;   ///< all are blocks of recordings with a number fixed in advance and no looks
  bool paired_ = false;  ///< each side has one run of the same blocks
  std::vector<std::size_t> before_blocks_, after_blocks_;  ///< runs, by block
  double widening_ = 1, degrees_ = 0;                      ///< as in RunValues
};

}  // namespace assay::difference
