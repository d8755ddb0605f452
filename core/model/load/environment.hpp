// Where a report was made.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// What a report says of where it was made, as (name, value), sorted by name, printable ASCII; what it does not say is
/// not there. Beside the program (the command and its script) and when it was recorded (UTC):
///   device      model of the GPU; of several models those that ran kernels, "A + B"
///   clock       greatest clock of the device, "1980 MHz"
///   driver      version of the driver, "570.172.08"
///   cuda        CUDA version that the driver offers, "12.8"; on AMD "HIP 7.2"
///   profiler    "Nsight Systems 2025.3.2.0" (which made the export), "Nsight Compute", "PyTorch profiler, CUPTI
///   130001" rank        place in a distributed job world_size  its size
using Environment = std::vector<std::pair<std::string, std::string>>;

/// "12.8" of 12080, as CUDA writes its versions in one number; empty for what is none.
std::string cuda_version(std::string_view number);

/// Adds a value unless it is empty: the first bytes, in printable ASCII.
void add_to(Environment& environment, std::string_view name, std::string_view value);

/// "A + B" of the different texts, sorted; empty ones are none.
std::string joined_models(std::vector<std::string> models);

}  // namespace assay
