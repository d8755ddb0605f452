#include "words.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/matching.hpp"

namespace assay::bound {
namespace {

constexpr std::array<Bound, kBounds> kAll = {Bound::kCompute, Bound::kMemory, Bound::kLatency, Bound::kUnknown};

std::string report_name(const StudyView& view, std::size_t report) {
  std::string_view path = view.path(report);
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  return std::string(path.substr(0, path.rfind('.')));
}

LabelTexts labels_of(const StudyView& view, std::size_t report) {
  LabelTexts out;
  const LabelTable& labels = *view.study().labels;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    const auto value = view.label_value(report, l);
    if (value) out.emplace_back(labels.name[l].view(), view.study().label_values->text[*value].view());
  }
  return out;
}

void read_classes(const StudyView& view, RunBounds& run) {
  const FactTable& facts = *view.study().facts;
  view.each_fact(static_cast<Row>(run.report), "kernel_class.bound_time_ratio", [&](std::size_t fact) {
    const std::string name = dim_value(facts.dims[fact], "class").value_or("");
    auto at = std::find_if(run.classes.begin(), run.classes.end(), [&](const auto& c) { return c.first == name; });
    if (at == run.classes.end()) at = run.classes.insert(at, {name, {}});
    at->second.add(bound_named(dim_value(facts.dims[fact], "bound").value_or("")), facts.value[fact]);
  });
}

/// "compute", or where launches are bound by several "compute 91 %, latency 9 %".
std::string bounds_text(const BoundTimes& shares) {
  std::vector<std::pair<double, std::string_view>> parts;
  for (const Bound bound : kAll) {
    if (shares.share(bound) > 0) parts.emplace_back(shares.share(bound), bound_name(bound));
  }
  if (parts.size() == 1) return std::string(parts.front().second);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (const auto& [share, name] : parts)
    out += (out.empty() ? "" : ", ") + std::string(name) + " " + percent(share, 0);
  return out;
}

}  // namespace

Table kernel_table(const Bounds& bounds) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> names, classes, tensor_cores, grids, blocks, limits;
  std::vector<std::int64_t> launches, profiled;
  std::vector<double> times, shares, compute, memory, dram, occupancy, durations, warps, loads, stores, rates;
  std::vector<double> flops, dram_bytes, l2_bytes, intensities, roofs;
  const double all = bounds.all.total();
  const auto hundredfold = [&](const std::optional<double>& share) { return share ? 100 * *share : kNan; };
  for (const BoundRow& row : bounds.rows) {
    names.push_back(row.kernel), classes.push_back(row.kernel_class);
    tensor_cores.push_back(row.tensor_cores);
    grids.push_back(row.grid), blocks.push_back(row.block);
    limits.push_back(bounds_text(row.bounds));
    launches.push_back(row.launches), profiled.push_back(row.speed.launches);
    times.push_back(row.time), shares.push_back(all > 0 ? 100 * row.time / all : kNan);
    compute.push_back(hundredfold(row.speed.compute)), memory.push_back(hundredfold(row.speed.memory));
    dram.push_back(hundredfold(row.speed.dram)), occupancy.push_back(hundredfold(row.speed.occupancy));
    durations.push_back(row.speed.duration.value_or(kNan));
    warps.push_back(hundredfold(row.speed.warp_execution)), rates.push_back(row.speed.dram_rate.value_or(kNan));
    flops.push_back(row.flops().value_or(kNan)), dram_bytes.push_back(row.dram_bytes().value_or(kNan));
    l2_bytes.push_back(row.l2_bytes().value_or(kNan)), intensities.push_back(row.intensity().value_or(kNan));
    roofs.push_back(hundredfold(row.roof_share()));
    loads.push_back(row.speed.load_sectors.value_or(kNan)), stores.push_back(row.speed.store_sectors.value_or(kNan));
  }
  Table table("kernel_bounds", bounds.joined ? "What bounds the kernels, by GPU time of the profile"
                                             : "What bounds the kernels, by durations under Nsight Compute");
  table.add("Time", "%", std::move(shares));
  table.add("Total Time", "ns", std::move(times));
  table.add("Launches", "1", std::move(launches));
  table.add("Profiled", "1", std::move(profiled));
  table.add("Bound by", "", std::move(limits));
  table.add("SM", "%", std::move(compute));
  table.add("Memory", "%", std::move(memory));
  table.add("DRAM", "%", std::move(dram));
  table.add("Occupancy", "%", std::move(occupancy));
  table.add("Roof", "%", std::move(roofs));
  table.add("FLOPs", "FLOP", std::move(flops));
  table.add("DRAM bytes", "bytes", std::move(dram_bytes));
  table.add("L2 bytes", "bytes", std::move(l2_bytes));
  table.add("Intensity", "FLOP/byte", std::move(intensities));
  table.add("DRAM rate", "bytes/s", std::move(rates));
  table.add("Warp execution", "%", std::move(warps));
  table.add("Sectors per load", "1", std::move(loads));
  table.add("Sectors per store", "1", std::move(stores));
  table.add("Duration", "ns", std::move(durations));
  table.add("Grid", "", std::move(grids));
  table.add("Block", "", std::move(blocks));
  table.add("Class", "", std::move(classes));
  table.add("Tensor cores", "", std::move(tensor_cores));
  table.add("Name", "", std::move(names));
  return table;
}

std::vector<RunBounds> runs_of(const StudyView& view) {
  std::vector<RunBounds> runs;
  for (const std::size_t report : view.participants()) {
    const auto row = static_cast<Row>(report);
    RunBounds run;
    run.report = report;
    for (const Bound bound : kAll) {
      const auto fact = view.fact(row, "kernel.bound_time_ratio", "bound=" + std::string(bound_name(bound)));
      if (!fact) continue;
      run.shares.add(bound, view.study().facts->value[*fact]);
      run.evidence.push_back(static_cast<std::int64_t>(*fact));
    }
    if (run.evidence.empty()) continue;
    const auto share = view.value(row, "kernel.profiled_time_ratio");
    run.joined = share.has_value();
    run.profiled_share = share.value_or(1);
    run.profiled = view.value(row, "ncu.profiled_count").value_or(0);
    read_classes(view, run);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Finding> findings(const StudyView& view, const std::vector<RunBounds>& runs, double threshold) {
  std::vector<Finding> out;
  for (const RunBounds& run : runs) {
    Finding finding;
    finding.role = FindingRole::kAnswer;
    finding.labels = labels_of(view, run.report);
    const bool known = run.shares.share(Bound::kUnknown) < 1;
    finding.title = report_name(view, run.report) +
                    (known ? ": kernels are bound by " + run.shares.text() : ": what bounds the kernels is unknown");
    finding.text =
        (run.joined ? "Shares are of the kernels' GPU time in the profile; " + percent(run.profiled_share) +
                          " of it is in kernels that Nsight Compute measured under the same name and launch shape"
                    : std::string("Shares are of durations under Nsight Compute, which replays each launch separately; "
                                  "without a profile of the whole run it is unknown how often each kernel runs")) +
        printed(" (measured launches: n = %.0f). ", run.profiled) +
        printed(
            "A kernel is bound by latency if neither the SMs nor the memory system reach %.0f %% of their peak, else "
            "by the busier of the two.",
            100 * threshold);
    if (!known) {
      finding.text +=
          " No kernel has the throughputs of both the SMs and the memory system; profile with --section SpeedOfLight.";
    }
    for (const auto& [name, shares] : run.classes) finding.text += " Class " + name + ": " + shares.text() + ".";
    finding.evidence = run.evidence;
    out.push_back(std::move(finding));
  }
  return out;
}

Table class_table(const StudyView& view, const std::vector<RunBounds>& runs) {
  std::vector<std::string> reports, classes;
  std::array<std::vector<double>, kBounds> shares;
  for (const RunBounds& run : runs) {
    for (const auto& [name, of_class] : run.classes) {
      reports.emplace_back(view.path(run.report));
      classes.push_back(name);
      for (const Bound bound : kAll) shares[static_cast<std::size_t>(bound)].push_back(100 * of_class.of(bound));
    }
  }
  Table table("class_bounds", "What bounds each class of kernels, by time");
  table.add("report", "", std::move(reports));
  table.add("class", "", std::move(classes));
  for (const Bound bound : kAll)
    table.add(std::string(bound_name(bound)), "%", std::move(shares[static_cast<std::size_t>(bound)]));
  return table;
}

}  // namespace assay::bound
