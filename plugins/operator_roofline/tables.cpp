#include <algorithm>
#include <map>

#include "assay/algo/intervals.hpp"
#include "emit.hpp"

namespace assay::roofline {
namespace {

using Number = std::optional<double>;

/// Over all calls of a row, if it has the number.
Number rate_per_s(const OperatorRow& row, double of_a_call, bool there) {
  if (!there || row.time <= 0) return std::nullopt;
  return 1e9 * of_a_call * static_cast<double>(row.calls) / row.time;
}

Number counted_ratio(const OperatorRow& row, double counted, double of_a_call, bool there) {
  if (!there || row.counted_calls == 0 || of_a_call <= 0) return std::nullopt;
  return counted / (static_cast<double>(row.counted_calls) * of_a_call);
}

struct ModuleTimes {
  std::string_view name;
  std::int64_t calls = 0;
  double time = 0, least = 0, roofed = 0;
};

}  // namespace

Table operator_table(const OperatorCalls& calls) {
  Table table("operator_rooflines", "Operators with their shapes: how far each is from its roof");
  const auto& rows = calls.rows;
  const auto modelled = [](auto&& get) {
    return [get](const OperatorRow& row) -> Number { return row.modelled() ? Number(get(row)) : std::nullopt; };
  };
  table.column("Time", "%", rows, [&](const OperatorRow& row) { return 100 * row.time / calls.time; })
      .column("Total Time", "ns", rows, [](const OperatorRow& row) { return row.time; })
      .column("Calls", "1", rows, [](const OperatorRow& row) { return row.calls; })
      .column("Roof", "%", rows,
              [](const OperatorRow& row) {
                return row.roof && row.time > 0 ? Number(100 * row.least() / row.time) : std::nullopt;
              })
      .column("Above roof", "ns", rows,
              [](const OperatorRow& row) { return row.roof ? Number(row.above()) : std::nullopt; })
      .column("Bound by", "", rows,
              [](const OperatorRow& row) {
                return std::string(!row.roof ? "" : row.roof->by_memory() ? "memory" : "compute");
              })
      .column("FLOPs", "FLOP", rows,
              [](const OperatorRow& row) {
                return row.modelled() && row.work.flops_known ? Number(row.work.computed) : std::nullopt;
              })
      .column("Least bytes", "bytes", rows, modelled([](const OperatorRow& row) { return row.work.bytes; }))
      .column("Rate", "FLOP/s", rows,
              [](const OperatorRow& row) {
                return rate_per_s(row, row.work.computed, row.modelled() && row.work.flops_known);
              })
      .column("Bandwidth", "bytes/s", rows,
              [](const OperatorRow& row) { return rate_per_s(row, row.work.bytes, row.modelled()); })
      .column("Intensity", "FLOP/byte", rows,
              [](const OperatorRow& row) {
                const bool there = row.modelled() && row.work.flops_known && row.work.bytes > 0;
                return there ? Number(row.work.computed / row.work.bytes) : std::nullopt;
              })
      .column("Least time", "ns", rows,
              [](const OperatorRow& row) { return row.roof ? Number(row.least()) : std::nullopt; })
      .column("Counted FLOPs", "ratio", rows,
              [](const OperatorRow& row) {
                return counted_ratio(row, row.counted_flops(), row.work.computed, row.counted.has_flops);
              })
      .column("Counted bytes", "ratio", rows,
              [](const OperatorRow& row) {
                return counted_ratio(row, row.counted.dram_bytes, row.work.bytes, row.counted.has_bytes);
              })
      .column("Type", "", rows,
              [](const OperatorRow& row) { return std::string(row.modelled() ? rate_name(row.rate) : ""); })
      .column("Kind", "", rows, [](const OperatorRow& row) { return row.kind; })
      .column("Without a model", "", rows, [](const OperatorRow& row) { return std::string(why_text(row.why)); })
      .column("Operator", "", rows, [](const OperatorRow& row) { return row.name; })
      .column("Shapes", "", rows, [](const OperatorRow& row) { return row.shapes; });
  return table;
}

std::optional<Table> module_table(const Report& report, const OperatorCalls& calls) {
  std::map<std::pair<StringId, std::int64_t>, ModuleTimes> modules;
  const OpTable& ops = *report.ops;
  if (!ops.python_module.present()) return std::nullopt;
  std::map<Row, bool> seen;
  for (const OperatorInstance& instance : calls.instances) {
    if (instance.module < 0) continue;
    const auto m = static_cast<std::size_t>(instance.module);
    ModuleTimes& module = modules[{ops.name[m], ops.python_module[m]}];
    module.name = report.string(ops.name[m]);
    if (!seen[instance.module]) {
      ++module.calls;
      seen[instance.module] = true;
    }
    module.time += instance.time;
    const OperatorRow& row = calls.rows[instance.row];
    if (row.roof) {
      module.least += row.roof->ns();
      module.roofed += instance.time;
    }
  }
  if (modules.empty()) return std::nullopt;
  std::vector<ModuleTimes> rows;
  for (const auto& [key, module] : modules) rows.push_back(module);
  std::ranges::stable_sort(rows, [](const ModuleTimes& a, const ModuleTimes& b) { return a.time > b.time; });
  Table table("module_rooflines", "Modules: how far their own operators are from their roofs");
  table.column("Total Time", "ns", rows, [](const ModuleTimes& m) { return m.time; })
      .column("Calls", "1", rows, [](const ModuleTimes& m) { return m.calls; })
      .column("Roof", "%", rows,
              [](const ModuleTimes& m) { return m.roofed > 0 ? Number(100 * m.least / m.roofed) : std::nullopt; })
      .column("Least time", "ns", rows, [](const ModuleTimes& m) { return m.least; })
      .column("Above roof", "ns", rows, [](const ModuleTimes& m) { return std::max(0.0, m.roofed - m.least); })
      .column("With a roof", "%", rows, [](const ModuleTimes& m) { return m.time > 0 ? 100 * m.roofed / m.time : 0; })
      .column("Module", "", rows, [](const ModuleTimes& m) { return std::string(m.name); });
  return table;
}

}  // namespace assay::roofline
