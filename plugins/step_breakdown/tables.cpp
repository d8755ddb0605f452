#include "tables.hpp"

#include <string>

namespace assay::step {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// One column of a table from its rows.
template <class Cell, class Rows, class Get>
void add(Table& table, const char* name, const char* unit, const Rows& rows, Get&& get) {
  std::vector<Cell> cells;
  cells.reserve(rows.size());
  for (const auto& row : rows) cells.push_back(static_cast<Cell>(get(row)));
  table.add(name, unit, std::move(cells));
}

template <class Rows, class Get>
void add_text(Table& table, const char* name, const Rows& rows, Get&& get) {
  add<std::string>(table, name, "", rows, get);
}
template <class Rows, class Get>
void add_integer(Table& table, const char* name, const char* unit, const Rows& rows, Get&& get) {
  add<std::int64_t>(table, name, unit, rows, get);
}
template <class Rows, class Get>
void add_number(Table& table, const char* name, const char* unit, const Rows& rows, Get&& get) {
  add<double>(table, name, unit, rows, get);
}

std::int64_t or_empty(std::int64_t value) { return value < 0 ? kNoInteger : value; }

}  // namespace

Table step_table(const Steps& steps, std::span<const Parts> parts) {
  std::vector<const Step*> all;
  for (const Step& s : steps.kept) all.push_back(&s);
  for (const Step& s : steps.dropped) all.push_back(&s);
  Table table("step_split", "Steps: what their time goes to");
  std::vector<std::string> measured(steps.kept.size(), "yes");
  measured.resize(all.size(), "dropped");
  add_text(table, "step", all, [](const Step* s) { return s->name; });
  table.add("measured", "", std::move(measured));
  add_integer(table, "start", "ns", all, [](const Step* s) { return s->time.start; });
  add_integer(table, "time", "ns", all, [](const Step* s) { return s->time.end - s->time.start; });
  for (std::size_t c = 0; c < kCategories; ++c) {
    std::vector<std::int64_t> cells;
    for (const Parts& p : parts) cells.push_back(p[c]);
    cells.resize(all.size(), kNoInteger);
    table.add(std::string(kCategoryTitles[c]), "ns", std::move(cells));
  }
  add_integer(table, "device events", "1", all, [](const Step* s) { return s->device_events; });
  return table;
}

Table kernel_table(std::span<const KernelRow> rows) {
  Table table("step_kernels", "Kernels by name");
  add_text(table, "name", rows, [](const KernelRow& r) { return r.name; });
  add_text(table, "class", rows, [](const KernelRow& r) { return r.kind; });
  add_text(table, "tensor cores", rows, [](const KernelRow& r) { return kTensorCoreUses[r.uses]; });
  add_integer(table, "calls", "1", rows, [](const KernelRow& r) { return r.calls; });
  add_integer(table, "total", "ns", rows, [](const KernelRow& r) { return r.total; });
  add_number(table, "mean", "ns", rows,
             [](const KernelRow& r) { return static_cast<double>(r.total) / static_cast<double>(r.calls); });
  add_integer(table, "max", "ns", rows, [](const KernelRow& r) { return r.longest; });
  add_integer(table, "min", "ns", rows, [](const KernelRow& r) { return r.shortest; });
  add_number(table, "mean blocks per SM", "1", rows, [](const KernelRow& r) { return r.blocks_per_sm; });
  add_number(table, "mean occupancy", "ratio", rows, [](const KernelRow& r) { return r.occupancy; });
  add_number(table, "corrected occupancy", "ratio", rows, [](const KernelRow& r) { return r.corrected; });
  return table;
}

Table operator_table(std::span<const OperatorRow> rows) {
  Table table("step_operators", "Operators by name");
  add_text(table, "name", rows, [](const OperatorRow& r) { return r.name; });
  add_integer(table, "calls", "1", rows, [](const OperatorRow& r) { return r.calls; });
  add_integer(table, "device self", "ns", rows, [](const OperatorRow& r) { return r.device_self; });
  add_integer(table, "device total", "ns", rows, [](const OperatorRow& r) { return r.device_total; });
  add_integer(table, "host self", "ns", rows, [](const OperatorRow& r) { return r.host_self; });
  add_integer(table, "host total", "ns", rows, [](const OperatorRow& r) { return r.host_total; });
  add_text(table, "tensor cores eligible", rows, [](const OperatorRow& r) { return r.eligible ? "yes" : "no"; });
  return table;
}

Table module_table(std::span<const ModuleRow> rows) {
  Table table("step_modules", "Modules by instance");
  add_text(table, "name", rows, [](const ModuleRow& r) { return r.name; });
  add_integer(table, "module", "1", rows, [](const ModuleRow& r) { return r.module; });
  add_text(table, "within", rows, [](const ModuleRow& r) { return r.within; });
  add_integer(table, "occurrences", "1", rows, [](const ModuleRow& r) { return r.occurrences; });
  add_integer(table, "operators", "1", rows, [](const ModuleRow& r) { return r.operators; });
  add_integer(table, "host self", "ns", rows, [](const ModuleRow& r) { return r.host_self; });
  add_integer(table, "host total", "ns", rows, [](const ModuleRow& r) { return r.host_total; });
  add_integer(table, "device self", "ns", rows, [](const ModuleRow& r) { return r.device_self; });
  add_integer(table, "device total", "ns", rows, [](const ModuleRow& r) { return r.device_total; });
  return table;
}

Table device_table(const DeviceTable& devices, std::span<const DeviceUse> uses) {
  const auto name_of = [&](const DeviceUse& u) -> std::string_view {
    const auto row = device_row(devices, u.device);
    return row && devices.name.present() ? devices.name[*row].view() : std::string_view();
  };
  const auto capability = [&](const DeviceUse& u) {
    const ComputeCapability c = capability_of(devices, u.device);
    return c == ComputeCapability{} ? std::string() : std::to_string(c.major) + "." + std::to_string(c.minor);
  };
  Table table("step_devices", "How the steps use the devices");
  add_integer(table, "device", "1", uses, [](const DeviceUse& u) { return u.device; });
  add_text(table, "name", uses, name_of);
  add_text(table, "compute capability", uses, capability);
  add_integer(table, "kernels", "1", uses, [](const DeviceUse& u) { return u.kernels; });
  add_number(table, "utilization", "ratio", uses, [](const DeviceUse& u) { return u.utilization; });
  add_number(table, "SM efficiency", "ratio", uses,
             [](const DeviceUse& u) { return u.sm_efficiency.value_or(kNothing); });
  add_number(table, "occupancy", "ratio", uses, [](const DeviceUse& u) { return u.occupancy.value_or(kNothing); });
  return table;
}

Table memory_table(std::span<const MemoryPeak> peaks) {
  Table table("step_memory", "Peak device memory");
  add_integer(table, "device", "1", peaks, [](const MemoryPeak& p) { return p.device; });
  add_integer(table, "peak allocated", "bytes", peaks, [](const MemoryPeak& p) { return or_empty(p.allocated); });
  add_integer(table, "peak reserved", "bytes", peaks, [](const MemoryPeak& p) { return or_empty(p.reserved); });
  add_integer(table, "memory", "bytes", peaks, [](const MemoryPeak& p) { return or_empty(p.total); });
  add_number(table, "share", "ratio", peaks, [](const MemoryPeak& p) {
    return p.total > 0 ? static_cast<double>(p.held()) / static_cast<double>(p.total) : kNothing;
  });
  return table;
}

}  // namespace assay::step
