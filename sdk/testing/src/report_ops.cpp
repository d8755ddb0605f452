#include "assay/testing/report_ops.hpp"

#include <tuple>

namespace assay::testing {

Row innermost_op(const Rows<AddedOp>& ops, std::uint32_t thread, std::int64_t start, std::int64_t end, Row self,
                 const std::function<bool(OpKind)>& kept) {
  Row found = kNone;
  const auto added = [&](Row r) -> const AddedOp& { return ops.added[static_cast<std::size_t>(r)]; };
  for (Row r = 0; r < static_cast<Row>(ops.size()); ++r) {
    const AddedOp& op = added(r);
    const bool around = op.options.thread == thread && op.start <= start && op.end >= end && kept(op.kind);
    const bool same = op.start == start && op.end == end;
    if (!around || r == self || (self != kNone && same && r > self)) continue;
    const auto inner_first = [&](Row x) { return std::tuple(-added(x).start, added(x).end, -x); };
    if (found == kNone || inner_first(r) < inner_first(found)) found = r;
  }
  return found;
}

Row op_of_call(const Rows<AddedOp>& ops, const AddedCall& call) {
  return innermost_op(ops, call.thread, call.start, call.end, kNone,
                      [](OpKind kind) { return kind != OpKind::kPythonFunction; });
}

OpTable op_table(ColumnPool& pool, const Rows<AddedOp>& rows,
                 const std::function<StringId(const std::string&)>& intern) {
  OpTable t;
  t.rows = rows.size();
  t.start = cells_of<std::int64_t>(pool, rows, [](const AddedOp& o) { return o.start; });
  t.end = cells_of<std::int64_t>(pool, rows, [](const AddedOp& o) { return o.end; });
  t.name = cells_of<StringId>(pool, rows, [&](const AddedOp& o) { return intern(o.name); });
  t.thread = cells_of<std::uint32_t>(pool, rows, [](const AddedOp& o) { return o.options.thread; });
  t.kind = cells_of<OpKind>(pool, rows, [](const AddedOp& o) { return o.kind; });
  std::vector<Row> parent(rows.size(), kNone);
  std::vector<std::int32_t> depth(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AddedOp& op = rows.at(i);
    parent[i] = rows.row(innermost_op(rows, op.options.thread, op.start, op.end, static_cast<Row>(rows.order[i]),
                                      [](OpKind) { return true; }));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Row r = parent[i]; r != kNone; r = parent[static_cast<std::size_t>(r)]) ++depth[i];
  }
  t.parent = pool.keep(std::move(parent));
  t.depth = pool.keep(std::move(depth));
  const auto number = [&](auto member) {
    return cells_of<std::int64_t>(pool, rows, [member](const AddedOp& o) { return o.options.*member; });
  };
  t.external_id = number(&OpOptions::external_id);
  t.python_id = number(&OpOptions::python_id);
  t.python_parent = number(&OpOptions::python_parent);
  t.python_module = number(&OpOptions::python_module);
  const auto text = [&](auto member) {
    return cells_of<StringId>(pool, rows, [&, member](const AddedOp& o) { return intern(o.options.*member); });
  };
  t.input_dims = text(&OpOptions::input_dims);
  t.input_types = text(&OpOptions::input_types);
  t.input_strides = text(&OpOptions::input_strides);
  t.sequence = number(&OpOptions::sequence);
  t.forward_thread = number(&OpOptions::forward_thread);
  t.concrete_inputs = text(&OpOptions::concrete_inputs);
  t.flops = cells_of<double>(pool, rows, [](const AddedOp& o) { return o.options.flops; });
  t.least_bytes = cells_of<double>(pool, rows, [](const AddedOp& o) { return o.options.least_bytes; });
  t.work_kind = text(&OpOptions::work_kind);
  t.arithmetic = text(&OpOptions::arithmetic);
  return t;
}

AllocationTable allocation_table(ColumnPool& pool, const Rows<AddedAllocation>& rows) {
  AllocationTable t;
  t.rows = rows.size();
  t.time = cells_of<std::int64_t>(pool, rows, [](const AddedAllocation& a) { return a.start; });
  t.device = cells_of<std::int32_t>(pool, rows, [](const AddedAllocation& a) { return a.options.device; });
  t.bytes = cells_of<std::int64_t>(pool, rows, [](const AddedAllocation& a) { return a.bytes; });
  t.allocated = cells_of<std::int64_t>(pool, rows, [](const AddedAllocation& a) { return a.options.allocated; });
  t.reserved = cells_of<std::int64_t>(pool, rows, [](const AddedAllocation& a) { return a.options.reserved; });
  t.thread = cells_of<std::uint32_t>(pool, rows, [](const AddedAllocation& a) { return a.options.thread; });
  return t;
}

PropertyTable property_table(ColumnPool& pool, const std::vector<std::pair<std::string, std::string>>& properties) {
  std::vector<Str> names, values;
  for (const auto& [name, value] : properties) {
    names.emplace_back(name);
    values.emplace_back(value);
  }
  return {properties.size(), pool.keep(std::move(names)), pool.keep(std::move(values))};
}

}  // namespace assay::testing
