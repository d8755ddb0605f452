#include "modules.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "tree.hpp"

namespace assay::step {
namespace {

bool is_module(const OpTable& ops, std::size_t row) {
  return ops.kind[row] == OpKind::kPythonFunction && ops.python_module[row] != kNone;
}

/// By row of ops: what lies around it.
struct Surroundings {
  std::vector<Row> module;                ///< the row itself when it is one, else the innermost around it; -1: none
  std::vector<std::uint8_t> in_operator;  ///< 1: an operator lies between the row and that module
};

Surroundings surroundings_of(const OpTable& ops, std::span<const std::size_t> order) {
  Surroundings out;
  out.module.assign(static_cast<std::size_t>(ops.rows), kNone);
  out.in_operator.assign(static_cast<std::size_t>(ops.rows), 0);
  for (const std::size_t r : order) {
    if (is_module(ops, r)) {
      out.module[r] = static_cast<Row>(r);
    } else if (ops.parent[r] >= 0) {
      const auto parent = static_cast<std::size_t>(ops.parent[r]);
      out.module[r] = out.module[parent];
      out.in_operator[r] = ops.kind[parent] == OpKind::kOperator ? 1 : out.in_operator[parent];
    }
  }
  return out;
}

struct Instance {
  std::int64_t operators = 0, host_self = 0, device_self = 0, device_total = 0;
  Row outer = kNone;
};

/// By row of ops; only rows of modules are filled.
std::vector<Instance> instances_of(const Report& report) {
  const OpTable& ops = *report.ops;
  const std::vector<std::size_t> order = outside_in(ops);
  const Surroundings around = surroundings_of(ops, order);
  const std::vector<std::int64_t> launched = device_time_by_op(report);
  std::vector<Instance> out(launched.size());
  for (auto r = order.rbegin(); r != order.rend(); ++r) {  // from the inside out
    const Row of = around.module[*r];
    if (of < 0) continue;
    Instance& instance = out[static_cast<std::size_t>(of)];
    instance.device_self += launched[*r];
    if (ops.kind[*r] == OpKind::kOperator && around.in_operator[*r] == 0) ++instance.operators;
    if (static_cast<std::size_t>(of) != *r) continue;
    const std::int64_t time = ops.end[*r] - ops.start[*r];
    instance.host_self += time;
    instance.device_total += instance.device_self;
    instance.outer = ops.parent[*r] < 0 ? kNone : around.module[static_cast<std::size_t>(ops.parent[*r])];
    if (instance.outer < 0) continue;
    out[static_cast<std::size_t>(instance.outer)].host_self -= time;
    out[static_cast<std::size_t>(instance.outer)].device_total += instance.device_total;
  }
  return out;
}

}  // namespace

std::vector<ModuleRow> module_rows(const Report& report) {
  std::vector<ModuleRow> rows;
  const OpTable& ops = *report.ops;
  if (!ops.python_module.present()) return rows;
  const std::vector<Instance> instances = instances_of(report);
  std::map<std::pair<StringId, std::int64_t>, ModuleRow> modules;
  for (std::size_t r = 0; r < ops.rows; ++r) {
    if (!is_module(ops, r) || !on_host_in_window(report, ops.start[r], ops.end[r])) continue;
    ModuleRow& row = modules[{ops.name[r], ops.python_module[r]}];
    const Instance& instance = instances[r];
    if (row.occurrences++ == 0 && instance.outer >= 0)
      row.within = report.string(ops.name[static_cast<std::size_t>(instance.outer)]);
    row.operators += instance.operators;
    row.host_self += instance.host_self;
    row.host_total += ops.end[r] - ops.start[r];
    row.device_self += instance.device_self;
    row.device_total += instance.device_total;
  }
  for (auto& [key, row] : modules) {
    row.name = report.string(key.first);
    row.module = key.second;
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const ModuleRow& a, const ModuleRow& b) {
    return std::tuple(-a.host_total, a.name, a.module) < std::tuple(-b.host_total, b.name, b.module);
  });
  return rows;
}

}  // namespace assay::step
