// Operators by name: number of calls, and host and device time.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// Times in ns. Total: including called modules; self: without them. Device time is that of the work launched inside,
/// and so excludes the backward pass, which another thread launches.
struct ModuleRow {
  std::string_view name;    ///< borrows the report
  std::int64_t module = 0;  ///< number of the instance in the trace
  std::string_view within;  ///< name of the enclosing module; empty: none
  std::int64_t occurrences = 0;
  std::int64_t operators = 0;  ///< called by the module itself: in no operator and in no module inside it
  std::int64_t host_self = 0, host_total = 0;
  std::int64_t device_self = 0, device_total = 0;
};

/// Modules of the window, by host total descending, then name, then number. Empty if the trace names none. Requires ops
/// with col::op_python_ids.
std::vector<ModuleRow> module_rows(const Report& report);

/// Times in ns. Total: including what the operator calls; self: without. Device time is that of the work launched by
/// calls inside the operator; host self excludes those calls as well.
struct OperatorRow {
  std::string_view name;  ///< borrows the report
  std::int64_t calls = 0;
  std::int64_t device_self = 0, device_total = 0;
  std::int64_t host_self = 0, host_total = 0;
  bool eligible = false;  ///< can run on tensor cores
};

using OperatorNames = std::set<std::string, std::less<>>;

/// Operators of the window, by device total, then host total, both descending, then name. Requires ops. Rows between
/// two operators (Python functions, annotations) belong to the outer one. Linear except for sorting.
std::vector<OperatorRow> operator_rows(const Report& report, const OperatorNames& eligible);

/// By row of kernels: 1 if there is an eligible operator around its launch. Empty without operators.
std::vector<std::uint8_t> launched_by_eligible(const Report& report, const OperatorNames& eligible);

}  // namespace assay::step
