// Reproducible random numbers: a seed gives equal bits with every compiler, library and thread count, which the
// distributions of <random> do not guarantee.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "assay/algo/distributions.hpp"

namespace assay {

namespace detail {
/// One step of SplitMix64: advances `state` and returns a well-mixed value.
constexpr std::uint64_t splitmix(std::uint64_t& state) noexcept {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}
}  // namespace detail

/// Seed from a name (a claim's id, for instance), so that streams do not depend on the order of work. FNV-1a, then
/// mixed.
constexpr std::uint64_t seed_of(std::string_view name) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return detail::splitmix(hash);
}

/// xoshiro256** (Blackman and Vigna), seeded through SplitMix64.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : state_) word = detail::splitmix(seed);
  }
  explicit constexpr Random(std::string_view name) noexcept : Random(seed_of(name)) {}

  /// 64 random bits.
  constexpr std::uint64_t next() noexcept {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  constexpr double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Standard normal, by inversion.
  double normal() noexcept { return normal_quantile((static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53); }

  /// Uniform in 0 .. n-1 without bias (Lemire's multiplication). 0 < n < 2^32.
  constexpr std::size_t index(std::size_t n) noexcept {
    assert(n > 0 && n < (std::uint64_t{1} << 32));
    const std::uint64_t bound = n;
    std::uint64_t product = (next() >> 32) * bound;
    if ((product & 0xFFFFFFFFU) < bound) {
      const std::uint64_t reject_below = ((std::uint64_t{1} << 32) - bound) % bound;
      while ((product & 0xFFFFFFFFU) < reject_below) product = (next() >> 32) * bound;
    }
    return product >> 32;
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) noexcept { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4] = {};
};

}  // namespace assay
