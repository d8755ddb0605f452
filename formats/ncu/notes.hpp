// Text of `assay describe ncu`.
#pragma once

#include "load/format.hpp"

namespace assay::load::ncu_notes {

inline constexpr Str kCommand[] = {"ncu", "-o", "{report}"};
inline constexpr RecorderSpec kRecorders[] = {
    {.name = "ncu",
     .command = kCommand,
     .ends_options = {},
     .numbered_ending = {},
     .install = "install Nsight Compute (developer.nvidia.com/nsight-compute; package nsight-compute of NVIDIA's "
                "repository) and put it into PATH"}};
inline constexpr FormatPart kReads[] = {{"a result of .ncu-rep, a row of a CSV", "profiled"},
                                        {"metrics of a result, cells of a CSV", "counters"},
                                        {"rules of .ncu-rep and of details pages", "what look shows as gains"}};
inline constexpr FormatPart kPassesOver[] = {{"source counters, disassembly", "counters by line of code"},
                                             {"cells without a number", "words such as n/a"}};
inline constexpr ColumnId kFills[] = {col::profiled, col::counters, col::kernel_profiled};
inline constexpr FormatNotes kNotes{
    .summary = "Reports of Nsight Compute: .ncu-rep, and the CSVs of its details and raw pages.",
    .reads = kReads,
    .passes_over = kPassesOver,
    .fills = kFills,
    .recorders = kRecorders};

}  // namespace assay::load::ncu_notes
