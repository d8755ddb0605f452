// What a benchmark has worked through.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// `each` of every iteration, for SetItemsProcessed and SetBytesProcessed. Google Benchmark 1.6 counts iterations
/// without a sign.
template <class State>
std::int64_t done(const State& state, std::size_t each) {
  return static_cast<std::int64_t>(each) * std::bit_cast<std::int64_t>(state.iterations());
}
