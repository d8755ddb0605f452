// Calls that launched device work.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::detail {

/// The calls of a report that launched device work, numbered by row. What is kept for each of them takes a place of
/// these numbers: most of millions of calls launch nothing.
class LaunchingCalls {
 public:
  explicit LaunchingCalls(const Report& report);

  [[nodiscard]] std::size_t size() const { return before_.back(); }
  /// `call`: a row of calls.
  [[nodiscard]] bool contains(Row call) const { return (word(call) >> (call % kBits) & 1U) != 0; }
  /// Number of a call that is one of them.
  [[nodiscard]] std::size_t number(Row call) const {
    const std::uint64_t lower = word(call) & ((std::uint64_t{1} << (call % kBits)) - 1);
    return before_[static_cast<std::size_t>(call / kBits)] + static_cast<std::size_t>(std::popcount(lower));
  }

 private:
  static constexpr Row kBits = 64;
  [[nodiscard]] std::uint64_t word(Row call) const { return words_[static_cast<std::size_t>(call / kBits)]; }

  std::vector<std::uint64_t> words_;   ///< a bit for each call
  std::vector<std::uint32_t> before_;  ///< for each word: the number of its first one; one more at the end
};

}  // namespace assay::detail
