// Declarations of the analyzer.
#pragma once

#include "assay/abi.hpp"

namespace assay::memory {

inline constexpr MetricSpec kMetrics[] = {
    {"memory.peak_bytes", "bytes", Polarity::kLowerIsBetter,
     "The most that was allocated on a device, in blocks as torch.cuda.memory_stats counts them; the highest of the "
     "devices, and with dims device each of several.",
     "peak of allocated memory"},
    {"memory.requested_bytes", "bytes", Polarity::kLowerIsBetter,
     "What was asked for of what was allocated at the peak; of memory snapshots.",
     "requested of the peak of allocated memory"},
    {"memory.in_use_bytes", "bytes", Polarity::kLowerIsBetter,
     "Allocated on the device of the peak when the memory snapshot was written.", "memory in use at the end"},
    {"memory.before_bytes", "bytes", Polarity::kNeutral,
     "Bytes that were allocated before the history begins; part of the peak.", "memory from before the history"},
    {"memory.reserved_bytes", "bytes", Polarity::kLowerIsBetter, "The most that the allocator held of the device.",
     "peak of reserved memory"},
    {"memory.fragmentation_ratio", "ratio", Polarity::kLowerIsBetter,
     "1 - peak of allocated over peak of reserved memory: the share that was held and never used at once.",
     "share of reserved memory that the peak does not use"},
    {"memory.inactive_split_bytes", "bytes", Polarity::kLowerIsBetter,
     "Free blocks in segments that are partly in use, when the snapshot was written: they cannot be given back.",
     "free memory in segments in use"},
    {"memory.growth_bytes_per_step", "bytes", Polarity::kLowerIsBetter,
     "The least that was allocated from the end of one step to the end of the next, less the least of the step before; "
     "median, samples: each step from the third on.",
     "growth of memory a step"},
    {"memory.step_peak_bytes", "bytes", Polarity::kLowerIsBetter,
     "The most that was allocated in a step; the largest, samples: each step.", "peak of memory of a step"},
    {"memory.phase_peak_bytes", "bytes", Polarity::kLowerIsBetter,
     "The most that was allocated in a phase of any step; dims: phase = forward, backward, optimizer; samples: each "
     "step.",
     "peak of memory of a phase"},
    {"memory.range_peak_bytes", "bytes", Polarity::kLowerIsBetter,
     "The most that was allocated while a named range was open; dims: range; samples: each time.",
     "peak of memory in a range"},
    {"memory.class_bytes", "bytes", Polarity::kNeutral,
     "Bytes at the peak by what they are for, told by when and where they were allocated and how long they lived; "
     "dims: class; samples: over equal parts of the history, when most was in use in the part.",
     "memory at the peak by class"},
    {"memory.class_peak_bytes", "bytes", Polarity::kLowerIsBetter,
     "The most that was allocated at any time of one class; dims: class.", "peak of the memory of a class"},
    {"memory.stack_bytes", "bytes", Polarity::kNeutral,
     "Bytes at the peak by the stack that allocated them; dims: stack.", "memory at the peak by stack"},
    {"memory.history_ns", "ns", Polarity::kNeutral, "Length of the history of allocations.", "length of the history"},
    {"memory.failure_count", "1", Polarity::kLowerIsBetter,
     "Requests that the device had no memory for; dims: outcome = failed, retried (after segments were given back).",
     "requests without memory"}};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"memory.answer", "How much memory was in use at most, when, and what held it, in one line."}};

}  // namespace assay::memory
