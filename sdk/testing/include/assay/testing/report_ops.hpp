// The part of ReportBuilder for framework traces: operators, allocations, properties.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/testing/report_rows.hpp"

namespace assay::testing {

struct OpOptions {
  std::uint32_t thread = 0;
  std::int64_t external_id = kNone;
  std::int64_t python_id = kNone, python_parent = kNone, python_module = kNone;
  std::string input_dims = {}, input_types = {}, input_strides = {}, concrete_inputs = {};  ///< JSON of a trace
  std::int64_t sequence = kNone, forward_thread = kNone;
  double flops = std::numeric_limits<double>::quiet_NaN(), least_bytes = flops;  ///< of one call; NaN: unknown
  std::string work_kind = {}, arithmetic = {};
};

struct AllocationOptions {
  std::int32_t device = 0;  ///< kNone: host memory
  std::int64_t allocated = kNone, reserved = kNone;
  std::uint32_t thread = 0;
};

struct AddedOp {
  std::int64_t start, end;
  OpKind kind;
  std::string name;
  OpOptions options;
};
struct AddedAllocation {
  std::int64_t start, end;  ///< both the time
  std::int64_t bytes;
  AllocationOptions options;
};

/// The cells `get(row)` over the rows of a table in its order.
template <class T, class AddedLaunch, class Get>
Column<T> cells_of(ColumnPool& pool, const Rows<AddedLaunch>& rows, Get&& get) {
  std::vector<T> cells;
  for (std::size_t i = 0; i < rows.size(); ++i) cells.push_back(static_cast<T>(get(rows.at(i))));
  return pool.keep(std::move(cells));
}

/// Number (as added) of the innermost op of a thread around [start, end] other than `self`; of equal ones the last
/// added is the innermost. kNone without one. `kept`: whether a kind counts.
Row innermost_op(const Rows<AddedOp>& ops, std::uint32_t thread, std::int64_t start, std::int64_t end, Row self,
                 const std::function<bool(OpKind)>& kept);

/// Number (as added) of the innermost operator or annotation around a call; kNone without one.
Row op_of_call(const Rows<AddedOp>& ops, const AddedCall& call);

OpTable op_table(ColumnPool& pool, const Rows<AddedOp>& rows,
                 const std::function<StringId(const std::string&)>& intern);

AllocationTable allocation_table(ColumnPool& pool, const Rows<AddedAllocation>& rows);

/// The texts remain owned by `properties`, which must outlive the table.
PropertyTable property_table(ColumnPool& pool, const std::vector<std::pair<std::string, std::string>>& properties);

}  // namespace assay::testing
