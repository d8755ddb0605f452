// The use of memory, by when it was allocated, where, and how long it existed.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "stacks.hpp"
#include "usage.hpp"

namespace assay::memory {

enum class Class : std::uint8_t {
  kParameters,   ///< from before the first optimizer step to the end: includes buffers
  kGradients,    ///< allocated in the backward pass and still there when the optimizer begins
  kOptimizer,    ///< allocated by the optimizer and still there after it
  kActivations,  ///< allocated in a forward pass and still there when its backward begins; includes recomputed ones
  kTemporaries,  ///< freed within the part of the step that allocated them
  kKept,         ///< allocated in a step by a stack that holds more after every step
  kBefore,       ///< from before the history, whose use is unknown
  kOther,
};
inline constexpr std::size_t kClasses = 8;
inline constexpr std::array<std::string_view, kClasses> kClassNames = {
    "parameters", "gradients", "optimizer_state", "activations", "temporaries", "kept", "before_history", "other"};

inline constexpr std::array<std::string_view, kClasses> kClassTitles = {"parameters",
                                                                        "gradients",
                                                                        "optimizer state",
                                                                        "activations",
                                                                        "temporaries",
                                                                        "memory kept from step to step",
                                                                        "memory from before the history",
                                                                        "others"};

/// A stack that holds more at the end of every step than at the end of the previous one.
struct Grower {
  std::int64_t stack = kNone;
  double per_step = 0, least = 0, most = 0;  ///< bytes: median and range over the steps
  std::size_t steps = 0;                     ///< differences between steps
  std::int64_t held = 0;                     ///< bytes at the end of the last step
};

/// Largest first. The first step allocates everything and is not considered.
std::vector<Grower> find_growers(const Allocations& allocations, std::int32_t device, const Steps& steps);

/// The part of the program that made each allocation.
std::vector<Part> parts_of(const Allocations& allocations, const Stacks& stacks);

/// Begin of the forward and backward pass of each step, ns: the first allocation in a module, or in autograd; kNever:
/// none. The last elements are for the time after the last step.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
struct PassBegins {
  std::vector<std::int64_t> forward, backward;
};
PassBegins begins_of_passes(const Allocations& allocations, const std::vector<Part>& parts, const Steps& steps);

/// The class of each allocation.
std::vector<Class> classify(const Allocations& allocations, const std::vector<Part>& parts, const Steps& steps,
                            const std::vector<std::int64_t>& backward, const std::vector<Grower>& growers);

/// Bytes of each class in use on one device.
using ClassBytes = std::array<double, kClasses>;
struct ClassUse {
  ClassBytes at_peak{}, peak{};       ///< at the peak of the device; the maximum of each class at any time
  std::vector<ClassBytes> over_time;  ///< in equal parts of the history: the maximum within each part
};
ClassUse use_of_classes(const Report& report, const Allocations& allocations, const std::vector<Class>& classes,
                        const DevicePeak& device, std::size_t parts);

}  // namespace assay::memory
