// Removable costs of a program: what a step loses to each, by a replay without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::lever {

/// What is removed. Each replay leaves all else as it is.
enum class LeverKind : std::uint8_t {
  kHostCode = 0,         ///< the host's own code in a range, or outside of all
  kRange = 1,            ///< a range that launches no kernel, with its copies and waits
  kInterpreterLock = 2,  ///< host code in turns of 5 ms: another thread holds the interpreter's lock
  kLaunches = 3,         ///< launches of a range, and the host code between them
  kAllLaunches = 4,      ///< of all ranges: a bound
  kSync = 5,             ///< waits for the device, with the small copy that each waits for (.item())
  kAllocation = 6,       ///< calls that allocate or free
  kCopies = 7,           ///< copies between host and device, and the waits for them
  kFp32Products = 8,     ///< matrix products in fp32: on tensor cores as TF32
  kAttention = 9,        ///< products, softmax and products in kernels of their own: one kernel in bf16
  kPointwise = 10,       ///< chains of pointwise kernels: one kernel each
};

struct Lever {
  LeverKind kind = LeverKind::kHostCode;
  std::string place;  ///< range, folded, or direction of copies; empty: everywhere, or outside of all ranges
  friend bool operator==(const Lever&, const Lever&) = default;
};

/// "launches:optimizer": as `assay whatif --remove` takes it.
std::string text_of(const Lever& lever);
/// Inverse of text_of; nullopt: no lever is written like this.
std::optional<Lever> lever_of(std::string_view text);

/// "host code in 'data'": what limits a step.
std::string name_of(const Lever& lever);
/// What to do about it, in the words of CUDA and PyTorch.
std::string remedy_of(const Lever& lever);

/// A lever and what its replay gains.
struct Gain {
  Lever lever;
  double share = 0;                 ///< of the mean step
  bool at_least = false;            ///< what remains of a step is mostly the host, which a profiler slows
  std::vector<double> shares = {};  ///< of each step
};

/// "launch-bound", "copies": what limits a step, in one or two words.
std::string_view word_of(LeverKind kind);

/// Largest gain first; but what the host waits in comes before launches, which it then no longer hides.
void sort_levers(std::vector<Gain>& gains);

/// Those that limit a step, of sorted ones: the first that gains a tenth, and a second whose gain is within `error` of
/// it. Empty: nothing stands out.
std::vector<Gain> limiting(const std::vector<Gain>& gains, double error);
/// The least share of a step that stands out.
inline constexpr double kStandsOut = 0.1;

}  // namespace assay::lever
