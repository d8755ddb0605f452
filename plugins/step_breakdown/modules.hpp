// Modules (torch.nn.Module) by instance: how often called, and how long on the host and on the device.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// Times in ns. Total: with the modules that it calls; self: without. Device time is of the work launched inside, so
/// that of the backward pass, which another thread launches, is not in it.
struct ModuleRow {
  std::string_view name;    ///< borrows the report
  std::int64_t module = 0;  ///< number of the instance in the trace
  std::string_view within;  ///< name of the module around it; empty: none
  std::int64_t occurrences = 0;
  std::int64_t operators = 0;  ///< called by the module itself: in no operator and in no module inside it
  std::int64_t host_self = 0, host_total = 0;
  std::int64_t device_self = 0, device_total = 0;
};

/// Modules of the window, by host total descending, then name, then number. Empty when the trace names none. Needs ops
/// with col::op_python_ids.
std::vector<ModuleRow> module_rows(const Report& report);

}  // namespace assay::step
