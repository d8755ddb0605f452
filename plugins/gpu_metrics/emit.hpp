// Facts and the table of one profile.
#pragma once

#include <vector>

#include "assay/sdk.hpp"
#include "parts.hpp"

namespace assay::gpu_metrics {

/// "1509 MHz"; empty: unknown.
std::string megahertz(double hertz);

/// The parts of one GPU.
struct DeviceParts {
  std::int32_t device = 0;
  std::vector<Part> parts;
};

void emit_facts(const std::vector<DeviceParts>& devices, ReportSink& sink);

/// One row per part with samples.
Table parts_table(const std::vector<DeviceParts>& devices);

}  // namespace assay::gpu_metrics
