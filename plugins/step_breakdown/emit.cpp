#include "emit.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "assay/algo/summary.hpp"
#include "assay/words.hpp"

namespace assay::step {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

std::int64_t or_empty(std::int64_t value) { return value < 0 ? kNoInteger : value; }

std::string quoted(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back("'" + name + "'");
  return listed(out);
}

void emit_step_note(const Steps& steps, ReportSink& sink) {
  sink.attribute("step.source", step_source_name(steps.source));
  if (!steps.found()) {
    sink.emit_issue("no_steps", Severity::kInfo, 0,
                    filled("No range is a step, so {} counts as one.",
                           {steps.source == StepSource::kWhole ? "everything on the host" : "the window"}));
  }
  if (!steps.cut.empty()) {
    std::vector<std::string> names;
    for (const Step& s : steps.cut) names.push_back(s.name);
    const bool short_of_work = steps.cut.front().device_events > 0;
    sink.emit_issue(
        "dropped_steps", Severity::kInfo, static_cast<std::int64_t>(names.size()),
        filled("{}{} not measured: {}", {quoted(names), names.size() == 1 ? " is" : " are",
                                         short_of_work ? "too little of the device work was captured."
                                                       : "no device work of the end of the capture was captured."}));
  }
  if (steps.processes > 1) {
    sink.emit_issue("steps_of_processes", Severity::kInfo, static_cast<std::int64_t>(steps.processes),
                    counted(steps.processes, "process") +
                        " of this profile have steps; each step is measured by the work of its own process.");
  }
}

void emit_split(std::span<const Parts> parts, double step_time, ReportSink& sink) {
  for (std::size_t c = 0; c < kCategories; ++c) {
    std::vector<double> samples;
    for (const Parts& p : parts) samples.push_back(static_cast<double>(p[c]));
    const double time = mean(samples);
    sink.fact("step.category_time_ns", time, samples, {{"category", kCategoryNames[c]}});
    sink.ratio("step.category_time_ratio", time, step_time, "the time of a step", {{"category", kCategoryNames[c]}});
  }
}

std::string_view origins_text(bool profiler, bool computed) {
  return profiler && computed ? "both" : profiler ? "profiler" : "computed";
}

template <class Get>
void emit_origin(std::span<const KernelFill> fill, Get&& get, std::string_view attribute, ReportSink& sink) {
  const auto any = [&](Origin origin) {
    return std::any_of(fill.begin(), fill.end(), [&](const KernelFill& f) { return get(f) == origin; });
  };
  const bool profiler = any(Origin::kProfiler), computed = any(Origin::kComputed);
  if (profiler || computed) sink.attribute(attribute, origins_text(profiler, computed));
}

/// The mean over devices, and each device's value if there are several.
template <class Get>
void emit_by_device(std::string_view metric, std::span<const DeviceUse> uses, std::string_view why_none, Get&& get,
                    ReportSink& sink) {
  std::vector<double> values;
  for (const DeviceUse& use : uses) {
    const std::optional<double> value = get(use);
    if (!value) continue;
    values.push_back(*value);
    if (uses.size() > 1) sink.fact(metric, *value, {{"device", std::to_string(use.device)}});
  }
  if (values.empty()) return sink.skip(metric, why_none);
  sink.fact(metric, mean(values));
}

void emit_capability(const Report& report, std::span<const DeviceUse> uses, ReportSink& sink) {
  std::optional<ComputeCapability> least;
  for (const DeviceUse& use : uses) {
    const ComputeCapability c = capability_of(*report.devices, use.device);
    if (c == ComputeCapability{}) return;
    least = least ? std::min(*least, c) : c;
  }
  if (least)
    sink.attribute("gpu.compute_capability", std::to_string(least->major) + "." + std::to_string(least->minor));
}

/// Kernels whose occupancy is unknown or impossible according to the profiler.
void emit_occupancy_doubts(std::span<const DeviceUse> uses, ReportSink& sink) {
  double unknown = 0, impossible = 0, time = 0;
  for (const DeviceUse& u : uses) {
    unknown += static_cast<double>(u.unknown_time);
    impossible += static_cast<double>(u.impossible_time);
    time += static_cast<double>(u.kernel_time);
  }
  const bool some = std::any_of(uses.begin(), uses.end(), [](const DeviceUse& u) { return u.occupancy.has_value(); });
  if (some && unknown > 0) {
    sink.emit_issue("occupancy_unknown", Severity::kInfo, 0,
                    "Kernels with " + printed("%.2g", 100 * unknown / time) +
                        " % of the kernel time have no known occupancy and are not in the mean.");
  }
  if (impossible == 0) return;
  sink.fact("gpu.impossible_occupancy_time_ratio", impossible / time);
  sink.emit_issue("occupancy_impossible", Severity::kWarning, 0,
                  "The profiler reports an impossible occupancy, mostly 0, for " +
                      printed("%.2g", 100 * impossible / time) +
                      " % of the kernel time; gpu.corrected_occupancy_ratio has computed values there.");
  emit_by_device(
      "gpu.corrected_occupancy_ratio", uses, "it cannot be computed", [](const DeviceUse& u) { return u.corrected; },
      sink);
}

/// The first `limit` rows, 0: all. Reports how many are cut, and their part of the time.
template <class T, class Time>
std::span<const T> first_rows(const std::vector<T>& rows, std::size_t limit, std::string_view what, Time&& time,
                              ReportSink& sink) {
  if (limit == 0 || rows.size() <= limit) return rows;
  double all = 0, cut = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto t = static_cast<double>(time(rows[i]));
    all += t;
    if (i >= limit) cut += t;
  }
  sink.emit_issue("rows_cut", Severity::kInfo, static_cast<std::int64_t>(rows.size() - limit),
                  filled("The table of {} shows {}; the rest has {} % of the summed time.",
                         {std::string(what), counted_of(limit, rows.size(), "row"),
                          printed("%.2g", all > 0 ? 100 * cut / all : 0.0)}));
  return std::span<const T>(rows).first(limit);
}

/// Steps in order, dropped ones last and without categories. `parts`: by kept step.
Table step_table(const Steps& steps, std::span<const Parts> parts) {
  std::vector<const Step*> all;
  for (const Step& s : steps.kept) all.push_back(&s);
  for (const Step& s : steps.cut) all.push_back(&s);
  Table table("step_split", "Steps: what their time goes to");
  std::vector<std::string> measured(steps.kept.size(), "yes");
  measured.resize(all.size(), "dropped");
  table.column("step", "", all, &Step::name);
  table.add("measured", "", std::move(measured));
  table.column("start", "ns", all, [](const Step* s) { return s->time.start; })
      .column("time", "ns", all, [](const Step* s) { return s->time.end - s->time.start; });
  for (std::size_t c = 0; c < kCategories; ++c) {
    std::vector<std::int64_t> cells;
    for (const Parts& p : parts) cells.push_back(p[c]);
    cells.resize(all.size(), kNoInteger);
    table.add(std::string(kCategoryTitles[c]), "ns", std::move(cells));
  }
  table.column("device events", "1", all, &Step::device_events);
  return table;
}

Table kernel_table(std::span<const KernelRow> rows) {
  Table table("step_kernels", "Kernels by name");
  table.column("name", "", rows, &KernelRow::name)
      .column("class", "", rows, &KernelRow::kind)
      .column("tensor cores", "", rows, [](const KernelRow& r) { return kTensorCoreUses[r.uses]; })
      .column("calls", "1", rows, &KernelRow::calls)
      .column("total", "ns", rows, &KernelRow::total)
      .column("mean", "ns", rows,
              [](const KernelRow& r) { return static_cast<double>(r.total) / static_cast<double>(r.calls); })
      .column("max", "ns", rows, &KernelRow::longest)
      .column("min", "ns", rows, &KernelRow::shortest)
      .column("mean blocks per SM", "1", rows, &KernelRow::blocks_per_sm)
      .column("mean occupancy", "ratio", rows, &KernelRow::occupancy)
      .column("corrected occupancy", "ratio", rows, &KernelRow::corrected);
  return table;
}

Table operator_table(std::span<const OperatorRow> rows) {
  Table table("step_operators", "Operators by name");
  table.column("name", "", rows, &OperatorRow::name)
      .column("calls", "1", rows, &OperatorRow::calls)
      .column("device self", "ns", rows, &OperatorRow::device_self)
      .column("device total", "ns", rows, &OperatorRow::device_total)
      .column("host self", "ns", rows, &OperatorRow::host_self)
      .column("host total", "ns", rows, &OperatorRow::host_total)
      .column("tensor cores eligible", "", rows, [](const OperatorRow& r) { return r.eligible ? "yes" : "no"; });
  return table;
}

Table module_table(std::span<const ModuleRow> rows) {
  Table table("step_modules", "Modules by instance");
  table.column("name", "", rows, &ModuleRow::name)
      .column("module", "1", rows, &ModuleRow::module)
      .column("within", "", rows, &ModuleRow::within)
      .column("occurrences", "1", rows, &ModuleRow::occurrences)
      .column("operators", "1", rows, &ModuleRow::operators)
      .column("host self", "ns", rows, &ModuleRow::host_self)
      .column("host total", "ns", rows, &ModuleRow::host_total)
      .column("device self", "ns", rows, &ModuleRow::device_self)
      .column("device total", "ns", rows, &ModuleRow::device_total);
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
  table.column("device", "1", uses, &DeviceUse::device)
      .column("name", "", uses, name_of)
      .column("compute capability", "", uses, capability)
      .column("kernels", "1", uses, &DeviceUse::kernels)
      .column("utilization", "ratio", uses, &DeviceUse::utilization)
      .column("SM efficiency", "ratio", uses, &DeviceUse::sm_efficiency)
      .column("occupancy", "ratio", uses, &DeviceUse::occupancy);
  return table;
}

Table memory_table(std::span<const MemoryPeak> peaks) {
  Table table("step_memory", "Peak device memory");
  table.column("device", "1", peaks, &MemoryPeak::device)
      .column("peak allocated", "bytes", peaks, [](const MemoryPeak& p) { return or_empty(p.allocated); })
      .column("peak reserved", "bytes", peaks, [](const MemoryPeak& p) { return or_empty(p.reserved); })
      .column("memory", "bytes", peaks, [](const MemoryPeak& p) { return or_empty(p.total); })
      .column("share", "ratio", peaks, [](const MemoryPeak& p) {
        return p.total > 0 ? static_cast<double>(p.held()) / static_cast<double>(p.total) : kNothing;
      });
  return table;
}

}  // namespace

void emit_steps(const Steps& steps, std::span<const Parts> parts, ReportSink& sink) {
  emit_step_note(steps, sink);
  sink.fact("step.count", static_cast<double>(steps.kept.size()));
  sink.fact("step.dropped_count", static_cast<double>(steps.cut.size()));
  std::vector<double> times;
  for (const Step& s : steps.kept) times.push_back(static_cast<double>(s.time.end - s.time.start));
  sink.fact("step.time_ns", mean(times), times);
  emit_split(parts, mean(times), sink);
  sink.table(step_table(steps, parts));
}

void emit_devices(const Report& report, std::span<const KernelFill> fill, const Steps& steps, ReportSink& sink) {
  constexpr std::string_view all = "gpu.utilization_ratio, gpu.sm_efficiency_ratio, gpu.achieved_occupancy_ratio";
  if (report.kernels == nullptr && report.graphs == nullptr) return sink.skip(all, "no kernels were captured");
  const Interval span = steps.span();
  if (span.end <= span.start) return sink.skip(all, "the steps take no time");
  const std::vector<DeviceUse> uses = device_use(report, fill, span);
  if (uses.empty()) return sink.skip(all, "no kernel runs between the first step's start and the last one's end");
  emit_by_device(
      "gpu.utilization_ratio", uses, "", [](const DeviceUse& u) { return std::optional(u.utilization); }, sink);
  emit_by_device(
      "gpu.sm_efficiency_ratio", uses, "neither blocks per SM nor grids with the number of multiprocessors are known",
      [](const DeviceUse& u) { return u.sm_efficiency; }, sink);
  emit_by_device(
      "gpu.achieved_occupancy_ratio", uses,
      "the profiler gives no occupancy, and registers, shared memory or limits of the device are unknown",
      [](const DeviceUse& u) { return u.occupancy; }, sink);
  emit_origin(fill, [](const KernelFill& f) { return f.blocks_origin; }, "gpu.blocks_per_sm_source", sink);
  emit_origin(fill, [](const KernelFill& f) { return f.occupancy_origin; }, "gpu.occupancy_source", sink);
  emit_capability(report, uses, sink);
  emit_occupancy_doubts(uses, sink);
  sink.table(device_table(*report.devices, uses));
}

void emit_top_kernel(const Kernels& kernels, std::size_t top, ReportSink& sink) {
  std::int64_t time = 0;
  for (std::size_t k = 0; k < std::min(top, kernels.rows.size()); ++k) time += kernels.rows[k].total;
  const std::int64_t first = kernels.rows.empty() ? 0 : kernels.rows.front().total;
  sink.ratio("step.top_kernel_time_ratio", static_cast<double>(first), static_cast<double>(time), "kernel time");
}

void emit_tensor_cores(const TensorCoreTime& time, bool has_operators, double least_known, ReportSink& sink) {
  const auto yes = static_cast<double>(time.by_use[0]), known = yes + static_cast<double>(time.by_use[1]);
  if (known < least_known * static_cast<double>(time.all)) {
    sink.skip(
        "step.tensor_core_use_ratio",
        filled(
            "names show for {} of the kernel time whether tensor cores were used, fewer than {} (option 'least_known')",
            {printed("%.1f %%", 100 * known / static_cast<double>(time.all)), printed("%.1f %%", 100 * least_known)}));
  } else {
    sink.ratio("step.tensor_core_use_ratio", yes, known, "kernel time whose use of tensor cores is known");
  }
  for (std::size_t u = 0; u < kTensorCoreUses.size(); ++u) {
    sink.ratio("step.tensor_core_time_ratio", static_cast<double>(time.by_use[u]), static_cast<double>(time.all),
               "kernel time", {{"uses", kTensorCoreUses[u]}});
    if (!has_operators) continue;
    sink.ratio("step.eligible_kernel_time_ratio", static_cast<double>(time.eligible_by_use[u]),
               static_cast<double>(time.all), "kernel time", {{"uses", kTensorCoreUses[u]}});
  }
  if (!has_operators)
    sink.skip("step.eligible_kernel_time_ratio", "the profile has no operators", SkipCause::kNoFramework);
}

void emit_kernels(const Kernels& kernels, std::size_t limit, ReportSink& sink) {
  sink.table(
      kernel_table(first_rows(kernels.rows, limit, "kernels", [](const KernelRow& r) { return r.total; }, sink)));
}

void emit_operators(const Report& report, const OperatorNames& eligible, std::size_t limit, ReportSink& sink) {
  const std::vector<OperatorRow> operators = operator_rows(report, eligible);
  if (!operators.empty()) {
    sink.table(operator_table(first_rows(
        operators, limit, "operators", [](const OperatorRow& r) { return r.device_self + r.host_self; }, sink)));
  }
  const std::vector<ModuleRow> modules = module_rows(report);
  if (!modules.empty()) {
    sink.table(module_table(
        first_rows(modules, limit, "modules", [](const ModuleRow& r) { return r.device_self + r.host_self; }, sink)));
  }
}

void emit_memory(const Report& report, ReportSink& sink) {
  constexpr std::string_view all = "memory.*";
  if (report.allocations == nullptr)
    return sink.skip(all, "no allocations were recorded; profile(profile_memory=True) does", SkipCause::kNoFramework);
  const std::vector<MemoryPeak> peaks = memory_peaks(report);
  if (peaks.empty()) return sink.skip(all, "no allocation on a device says how much is in use");
  for (const MemoryPeak& p : peaks) {
    const std::string device = std::to_string(p.device);
    const auto emit = [&](std::string_view metric, std::int64_t bytes) {
      if (bytes >= 0) sink.fact(metric, static_cast<double>(bytes), {{"device", device}});
    };
    emit("memory.peak_allocated_bytes", p.allocated);
    emit("memory.peak_reserved_bytes", p.reserved);
    if (p.total > 0) {
      sink.fact("memory.peak_ratio", static_cast<double>(p.held()) / static_cast<double>(p.total),
                {{"device", device}});
    } else {
      sink.skip("memory.peak_ratio", "the memory of device " + device + " is unknown");
    }
  }
  sink.table(memory_table(peaks));
}

}  // namespace assay::step
