// Properties of the machine and job that a report was recorded on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// Statements of a report about its recording, as (name, value), sorted by name, in printable ASCII; names that it does
/// not state are missing. Besides the program (the command and its script) and the time of recording (UTC):
/// device      model of the GPU; of several models those that ran kernels, "A + B"
/// clock       maximum clock of the device, "1980 MHz"
/// driver      version of the driver, "570.172.08"
/// cuda        CUDA version that the driver supports, "12.8"; on AMD "HIP 7.2"
/// profiler    "Nsight Systems 2025.3.2.0" (which wrote the export), "Nsight Compute", "PyTorch profiler, CUPTI 130001"
/// rank        rank in a distributed job
/// world_size  its size
using Environment = std::vector<std::pair<std::string, std::string>>;

/// "12.8" for 12080, the way CUDA encodes versions; empty if invalid.
std::string cuda_version(std::string_view number);

/// Adds a value unless it is empty, shortened, in printable ASCII.
void add_to(Environment& environment, std::string_view name, std::string_view value);

/// "A + B" of the distinct non-empty texts, sorted.
std::string joined_models(std::vector<std::string> models);

}  // namespace assay
