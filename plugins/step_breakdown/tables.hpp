// Tables of one report.
#pragma once

#include <span>

#include "assay/output.hpp"
#include "device_use.hpp"
#include "kernels.hpp"
#include "operators.hpp"
#include "split.hpp"

namespace assay::step {

/// Steps in their order, dropped ones last and without categories. `parts`: by kept step.
Table step_table(const Steps& steps, std::span<const Parts> parts);
Table kernel_table(std::span<const KernelRow> rows);
Table operator_table(std::span<const OperatorRow> rows);
Table module_table(std::span<const ModuleRow> rows);
Table device_table(const DeviceTable& devices, std::span<const DeviceUse> uses);
Table memory_table(std::span<const MemoryPeak> peaks);

}  // namespace assay::step
