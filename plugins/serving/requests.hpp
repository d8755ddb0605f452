// Durations of requests and steps.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "phases.hpp"

namespace assay::serving {

/// Why a request has no TTFT or no TPOT.
enum class LeftOut : std::uint8_t {
  kUnfinished = 0,  ///< it did not end in the capture: not counted at all
  kNoPrefill = 1,   ///< no prefill inside it: no TTFT
  kOneToken = 2,    ///< its first token is its last: no TPOT
  kOverlapping = 3  ///< overlaps others, and no number in names identifies its prefill: no TTFT
};
inline constexpr std::size_t kLeftOuts = 4;
inline constexpr std::array<std::string_view, kLeftOuts> kLeftOutNames = {"unfinished", "no_prefill", "one_token",
                                                                          "overlapping"};

struct TokenRules {
  double per_request = 0;  ///< tokens of a request; 0: counted by its steps
  double per_range = 1;    ///< tokens that a decode range produces for each of its sequences
};

/// Times in ns.
struct Latencies {
  std::vector<double> request;     ///< finished ones, on the host
  std::vector<double> ttft, tpot;  ///< of the requests that have them
  std::vector<double> token;       ///< between the ends of successive tokens: within a request, or else between steps
  double tokens = 0;               ///< generated, over all sequences visible in names
  double span = 0;                 ///< from the first start to the last end of requests, or else of steps
  std::array<std::int64_t, kLeftOuts> left_out{};
  std::array<std::vector<double>, kKinds> step, step_gpu;  ///< of each step: to its end, and busy
  std::array<double, kKinds> time{};                       ///< of the steps of a kind, each instant once
  std::array<double, kKinds> batch{}, computed{};          ///< sums over steps with the number in their name
  std::array<std::int64_t, kKinds> with_batch{}, with_tokens{};
};

Latencies latencies_of(const Phases& phases, const TokenRules& rules);

}  // namespace assay::serving
