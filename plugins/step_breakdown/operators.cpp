#include "operators.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/algo/op_tree.hpp"
#include "assay/report.hpp"

namespace assay::step {
namespace {

/// By row of ops: sum of the durations of kernels, graph launches, copies and sets of the window whose launch has this
/// row as its innermost operator or annotation, ns. Requires col::kernel_op, and col::call_op for the others.
std::vector<std::int64_t> device_time_by_op(const Report& report) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(report.ops->rows), 0);
  const auto add = [&](const auto* work, auto&& op_of) {
    for (std::size_t w = 0; work != nullptr && w < work->rows; ++w) {
      const Row op = work->membership[w] == Membership::kInside ? op_of(w) : kNone;
      if (op >= 0) out[static_cast<std::size_t>(op)] += work->end[w] - work->start[w];
    }
  };
  const auto of_call = [&](const auto* work) {
    add(work, [&, work](std::size_t w) {
      const bool linked = report.calls != nullptr && report.calls->op.present() && work->call[w] >= 0;
      return linked ? report.calls->op[static_cast<std::size_t>(work->call[w])] : kNone;
    });
  };
  add(report.kernels, [&](std::size_t k) { return report.kernels->op.present() ? report.kernels->op[k] : kNone; });
  of_call(report.graphs);
  of_call(report.copies);
  of_call(report.sets);
  return out;
}

bool is_module(const OpTable& ops, std::size_t row) {
  return ops.kind[row] == OpKind::kPythonFunction && ops.python_module[row] != kNone;
}

/// By row of ops: the enclosing rows.
struct Surroundings {
  std::vector<Row> module;                ///< the row itself if it is one, otherwise the innermost around it; -1: none
  std::vector<std::uint8_t> in_operator;  ///< 1: there is an operator between the row and that module
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
  for (const std::size_t r : std::views::reverse(order)) {  // from the inside out
    const Row of = around.module[r];
    if (of < 0) continue;
    Instance& instance = out[static_cast<std::size_t>(of)];
    instance.device_self += launched[r];
    if (ops.kind[r] == OpKind::kOperator && around.in_operator[r] == 0) ++instance.operators;
    if (static_cast<std::size_t>(of) != r) continue;
    const std::int64_t time = ops.end[r] - ops.start[r];
    instance.host_self += time;
    instance.device_total += instance.device_self;
    instance.outer = ops.parent[r] < 0 ? kNone : around.module[static_cast<std::size_t>(ops.parent[r])];
    if (instance.outer < 0) continue;
    out[static_cast<std::size_t>(instance.outer)].host_self -= time;
    out[static_cast<std::size_t>(instance.outer)].device_total += instance.device_total;
  }
  return out;
}

bool is_operator(const OpTable& ops, std::size_t row) { return ops.kind[row] == OpKind::kOperator; }

/// By row of ops: the row itself if it is an operator, otherwise the innermost operator around it; -1: none.
std::vector<Row> operator_around(const OpTable& ops, std::span<const std::size_t> order) {
  std::vector<Row> out(static_cast<std::size_t>(ops.rows), kNone);
  for (const std::size_t r : order) {
    const Row parent = ops.parent[r];
    out[r] = is_operator(ops, r) ? static_cast<Row>(r) : parent < 0 ? kNone : out[static_cast<std::size_t>(parent)];
  }
  return out;
}

/// The innermost operator around a row, excluding the row itself.
Row outer_operator(const OpTable& ops, const std::vector<Row>& around, std::size_t row) {
  return ops.parent[row] < 0 ? kNone : around[static_cast<std::size_t>(ops.parent[row])];
}

struct Times {
  std::vector<std::int64_t> device_self, device_total, host_self;
};

/// Subtracts from every operator's host time the union of the operators and calls directly inside it.
void subtract_inner_time(const Report& report, const std::vector<Row>& around, std::vector<std::int64_t>& host_self) {
  struct InnerInterval {
    Row of;
    Interval time;
  };
  const OpTable& ops = *report.ops;
  std::vector<InnerInterval> inner;
  const auto add = [&](Row of, std::int64_t start, std::int64_t end) {
    if (of < 0) return;
    const auto o = static_cast<std::size_t>(of);
    inner.push_back({of, {std::max(start, ops.start[o]), std::min(end, ops.end[o])}});
  };
  for (std::size_t r = 0; r < ops.rows; ++r) {
    if (is_operator(ops, r)) add(outer_operator(ops, around, r), ops.start[r], ops.end[r]);
  }
  const CallTable* calls = report.calls;
  for (std::size_t c = 0; calls != nullptr && calls->op.present() && c < calls->rows; ++c) {
    const Row op = calls->op[c];
    add(op < 0 ? kNone : around[static_cast<std::size_t>(op)], calls->start[c], calls->end[c]);
  }
  std::sort(inner.begin(), inner.end(), [](const InnerInterval& a, const InnerInterval& b) {
    return std::tuple(a.of, a.time.start, a.time.end) < std::tuple(b.of, b.time.start, b.time.end);
  });
  for (std::size_t i = 0; i < inner.size();) {
    const Row of = inner[i].of;
    UnionMeasure covered;
    for (; i < inner.size() && inner[i].of == of; ++i) covered.add(inner[i].time.start, inner[i].time.end);
    host_self[static_cast<std::size_t>(of)] -= covered.total();
  }
}

Times times_of(const Report& report, std::span<const std::size_t> order, const std::vector<Row>& around) {
  const OpTable& ops = *report.ops;
  const std::vector<std::int64_t> launched = device_time_by_op(report);
  Times t;
  t.device_self.assign(launched.size(), 0);
  for (std::size_t r = 0; r < launched.size(); ++r) {
    if (around[r] >= 0) t.device_self[static_cast<std::size_t>(around[r])] += launched[r];
  }
  t.device_total = t.device_self;
  for (const std::size_t r : std::views::reverse(order)) {
    const Row outer = is_operator(ops, r) ? outer_operator(ops, around, r) : kNone;
    if (outer >= 0) t.device_total[static_cast<std::size_t>(outer)] += t.device_total[r];
  }
  for (std::size_t r = 0; r < launched.size(); ++r) t.host_self.push_back(ops.end[r] - ops.start[r]);
  subtract_inner_time(report, around, t.host_self);
  return t;
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

std::vector<OperatorRow> operator_rows(const Report& report, const OperatorNames& eligible) {
  const OpTable& ops = *report.ops;
  const std::vector<std::size_t> order = outside_in(ops);
  const Times times = times_of(report, order, operator_around(ops, order));
  std::map<StringId, OperatorRow> by_name;
  for (std::size_t r = 0; r < ops.rows; ++r) {
    if (!is_operator(ops, r) || !on_host_in_window(report, ops.start[r], ops.end[r])) continue;
    OperatorRow& row = by_name[ops.name[r]];
    ++row.calls;
    row.device_self += times.device_self[r];
    row.device_total += times.device_total[r];
    row.host_self += times.host_self[r];
    row.host_total += ops.end[r] - ops.start[r];
  }
  std::vector<OperatorRow> rows;
  for (auto& [name, row] : by_name) {
    row.name = report.string(name);
    row.eligible = eligible.contains(row.name);
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
    return std::tuple(-a.device_total, -a.host_total, a.name) < std::tuple(-b.device_total, -b.host_total, b.name);
  });
  return rows;
}

std::vector<std::uint8_t> launched_by_eligible(const Report& report, const OperatorNames& eligible) {
  std::vector<std::uint8_t> out;
  if (report.ops == nullptr || report.kernels == nullptr || !report.kernels->op.present()) return out;
  const OpTable& ops = *report.ops;
  std::map<StringId, bool> known;
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(ops.rows), 0);
  for (const std::size_t r : outside_in(ops)) {
    const auto [at, is_new] = known.try_emplace(ops.name[r], false);
    if (is_new) at->second = eligible.contains(report.string(ops.name[r]));
    const bool around = ops.parent[r] >= 0 && inside[static_cast<std::size_t>(ops.parent[r])] != 0;
    inside[r] = around || (is_operator(ops, r) && at->second) ? 1 : 0;
  }
  for (const Row op : report.kernels->op) out.push_back(op < 0 ? 0 : inside[static_cast<std::size_t>(op)]);
  return out;
}

}  // namespace assay::step
