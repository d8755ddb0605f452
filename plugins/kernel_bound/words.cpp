#include "words.hpp"

#include <algorithm>
#include <limits>

#include "assay/algo/matching.hpp"
#include "assay/detail/report_labels.hpp"

namespace assay::bound {
namespace {

constexpr std::array<Bound, kBounds> kAll = {Bound::kCompute, Bound::kMemory, Bound::kLatency, Bound::kUnknown};

void read_classes(const StudyView& view, RunBounds& run) {
  const FactTable& facts = *view.study().facts;
  view.each_fact(static_cast<Row>(run.report), "kernel_class.bound_time_ratio", [&](std::size_t fact) {
    const std::string name = dim_value(facts.dims[fact], "class").value_or("");
    auto at = std::find_if(run.classes.begin(), run.classes.end(), [&](const auto& c) { return c.first == name; });
    if (at == run.classes.end()) at = run.classes.insert(at, {name, {}});
    at->second.add(bound_named(dim_value(facts.dims[fact], "bound").value_or("")), facts.value[fact]);
  });
}

/// "compute", or with several bounds "compute 91 %, latency 9 %".
std::string bounds_text(const BoundTimes& shares) {
  std::vector<std::pair<double, std::string_view>> parts;
  for (const Bound bound : kAll) {
    if (shares.share(bound) > 0) parts.emplace_back(shares.share(bound), bound_name(bound));
  }
  if (parts.size() == 1) return std::string(parts.front().second);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (const auto& [share, name] : parts)
    out += filled("{}{} {}", {out.empty() ? "" : ", ", std::string(name), percent(share, 0)});
  return out;
}

}  // namespace

Table kernel_table(const Bounds& bounds) {
  const double all = bounds.all.total();
  const auto hundredfold = [](const std::optional<double>& share) {
    return share ? std::optional(100 * *share) : std::nullopt;
  };
  const auto speed = [](auto member) { return [member](const BoundRow& row) { return row.speed.*member; }; };
  const auto percent_of = [&](auto member) {
    return [&, member](const BoundRow& row) { return hundredfold(row.speed.*member); };
  };
  const std::vector<BoundRow>& rows = bounds.rows;
  Table table("kernel_bounds", bounds.joined ? "What bounds the kernels, by GPU time of the profile"
                                             : "What bounds the kernels, by durations under Nsight Compute");
  table
      .column("Time", "%", rows,
              [&](const BoundRow& row) { return all > 0 ? std::optional(100 * row.time / all) : std::nullopt; })
      .column("Total Time", "ns", rows, &BoundRow::time)
      .column("Launches", "1", rows, &BoundRow::launches)
      .column("Profiled", "1", rows, speed(&SpeedOfLight::launches))
      .column("Bound by", "", rows, [](const BoundRow& row) { return bounds_text(row.bounds); })
      .column("SM", "%", rows, percent_of(&SpeedOfLight::compute))
      .column("Memory", "%", rows, percent_of(&SpeedOfLight::memory))
      .column("DRAM", "%", rows, percent_of(&SpeedOfLight::dram))
      .column("Occupancy", "%", rows, percent_of(&SpeedOfLight::occupancy))
      .column("Roof", "%", rows, [&](const BoundRow& row) { return hundredfold(row.roof_share()); })
      .column("FLOPs", "FLOP", rows, &BoundRow::flops)
      .column("DRAM bytes", "bytes", rows, &BoundRow::dram_bytes)
      .column("L2 bytes", "bytes", rows, &BoundRow::l2_bytes)
      .column("Intensity", "FLOP/byte", rows, &BoundRow::intensity)
      .column("DRAM rate", "bytes/s", rows, speed(&SpeedOfLight::dram_rate))
      .column("Warp execution", "%", rows, percent_of(&SpeedOfLight::warp_execution))
      .column("Sectors per load", "1", rows, speed(&SpeedOfLight::load_sectors))
      .column("Sectors per store", "1", rows, speed(&SpeedOfLight::store_sectors))
      .column("Duration", "ns", rows, speed(&SpeedOfLight::duration))
      .column("Grid", "", rows, &BoundRow::grid)
      .column("Block", "", rows, &BoundRow::block)
      .column("Class", "", rows, &BoundRow::kernel_class)
      .column("Tensor cores", "", rows, &BoundRow::tensor_cores)
      .column("Name", "", rows, &BoundRow::kernel);
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
    for (const auto& [name, shares] : run.classes) finding.text += filled(" Class {}: {}.", {name, shares.text()});
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
