#include "look/limits.hpp"

#include <algorithm>
#include <cmath>

#include "assay/words.hpp"
#include "load/ncu/rep_rules.hpp"
#include "look/tables.hpp"
#include "render/format.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kMost = 12;  // kernels of a table

}  // namespace

std::optional<Part> bound_part(const ReportResult& report) {
  const OwnedTable* table = table_of(report.tables, {}, "kernel_bounds");
  if (table == nullptr || table->rows() == 0) return std::nullopt;
  const Cells name(*table, "Name"), bound(*table, "Bound by"), count(*table, "Profiled"), time(*table, "Time");
  const Cells compute(*table, "SM"), memory(*table, "Memory"), occupancy(*table, "Occupancy");
  Part part{"Kernels by counters: share of the peak (speed of light)",
            {{"name"},
             {"launches", true},
             {"time", true},
             {"compute", true},
             {"memory", true},
             {"occupancy", true},
             {"bound by"}},
            {}};
  const auto share = [](double percents) { return std::isfinite(percents) ? share_text(percents / 100) : kNotKnown; };
  for (std::size_t r = 0; r < std::min(table->rows(), kMost); ++r) {
    part.rows.push_back({shortened(one_line(name.text(r)), kKernelName), fixed(count.number(r), 0),
                         share(time.number(r)), share(compute.number(r)), share(memory.number(r)),
                         share(occupancy.number(r)), bound.text(r)});
  }
  return part;
}

std::optional<Part> counted_part(const ReportResult& report) {
  const OwnedTable* table = table_of(report.tables, {}, "kernel_bounds");
  if (table == nullptr) return std::nullopt;
  const std::size_t rows = std::min(table->rows(), kMost);
  const Cells name(*table, "Name"), duration(*table, "Duration"), dram(*table, "DRAM bytes"), l2(*table, "L2 bytes");
  const Cells flops(*table, "FLOPs"), intensity(*table, "Intensity"), roof(*table, "Roof");
  std::vector<double> durations, drams, l2s, operations;
  bool any = false;
  for (std::size_t r = 0; r < rows; ++r) {
    durations.push_back(duration.number(r)), drams.push_back(dram.number(r));
    l2s.push_back(l2.number(r)), operations.push_back(flops.number(r));
    any = any || std::isfinite(dram.number(r)) || std::isfinite(l2.number(r)) || std::isfinite(flops.number(r));
  }
  if (!any) return std::nullopt;
  Part part{"Kernels by counters: a launch in the roofline",
            {{"name"},
             {"duration", true},
             {"DRAM", true},
             {"L2", true},
             {"FLOPs", true},
             {"FLOP/byte", true},
             {"of roof", true}},
            {}};
  const auto d = column_texts(durations, "ns"), b = column_texts(drams, "bytes"), l = column_texts(l2s, "bytes"),
             f = column_texts(operations, "FLOP");
  for (std::size_t r = 0; r < rows; ++r) {
    const double at = intensity.number(r), share = roof.number(r);
    part.rows.push_back({shortened(one_line(name.text(r)), kKernelName), d[r], b[r], l[r], f[r],
                         std::isfinite(at) ? fixed(at, at < 10 ? 1 : 0) : kNotKnown,
                         std::isfinite(share) ? share_text(share / 100) : kNotKnown});
  }
  const std::string roofs = Facts(report).attribute("kernel_bound.roof");
  if (!roofs.empty())
    part.sentences.push_back("roof: " + roofs + "; the clock is the mean, each launch counts by its own");
  return part;
}

std::optional<Part> rules_part(const std::filesystem::path& file) {
  constexpr std::size_t kSaid = 5, kWords = 160;
  if (file.extension() != ".ncu-rep") return std::nullopt;
  const auto launches = load::read_rules(file);
  if (!launches) return std::nullopt;  // that it cannot be read is said where its counters are
  struct Gain {
    double speedup;
    std::string text;
  };
  std::vector<Gain> gains;
  for (const load::RuledLaunch& launch : *launches) {
    std::string who = launch.ranges.empty() ? "" : one_line(launch.ranges.back()) + ", ";
    who += shortened(one_line(launch.kernel), kKernelName);
    for (const load::RuleSaying& saying : launch.sayings) {
      if (!saying.speedup || *saying.speedup <= 0) continue;
      const std::string text = one_line(saying.text), first = text.substr(0, text.find(". "));
      gains.push_back({*saying.speedup, who + ": " + fixed(*saying.speedup, 0) + " % " +
                                            (saying.local ? "of the part it is about" : "of its duration") + " (" +
                                            one_line(saying.rule) + "): " + shortened(first, kWords)});
    }
  }
  if (gains.empty()) return std::nullopt;
  std::stable_sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.speedup > b.speedup; });
  Part part{"Largest gains by the rules of Nsight Compute, as it estimates them", {}, {}};
  for (std::size_t i = 0; i < std::min(kSaid, gains.size()); ++i) part.sentences.push_back(gains[i].text);
  if (gains.size() > kSaid) part.sentences.push_back("and " + counted(gains.size() - kSaid, "smaller one"));
  return part;
}

std::optional<Part> roof_part(const Facts& facts, const ReportResult& report) {
  constexpr std::size_t kGains = 3;
  const OwnedTable* table = table_of(report.tables, "operator_roofline", "operator_rooflines");
  if (table == nullptr) return std::nullopt;
  const Cells above(*table, "Above roof"), roof(*table, "Roof"), time(*table, "Total Time"), calls(*table, "Calls");
  const Cells name(*table, "Operator"), shapes(*table, "Shapes"), bound(*table, "Bound by");
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < table->rows(); ++r)
    if (above.number(r) > 0) order.push_back(r);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return above.number(a) > above.number(b); });
  order.resize(std::min(order.size(), kGains));
  const auto mfu = facts.value("step.mfu_ratio");
  Part part{"Largest gains: time above the roof" + (mfu ? " (MFU " + share_text(*mfu) + ")" : std::string()),
            {{"operator"},
             {"shapes"},
             {"calls", true},
             {"time", true},
             {"above roof", true},
             {"of roof", true},
             {"bound by"}},
            {}};
  std::vector<double> times, gains;
  for (const std::size_t r : order) times.push_back(time.number(r)), gains.push_back(above.number(r));
  const auto t = column_texts(times, "ns"), g = column_texts(gains, "ns");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t r = order[i];
    part.rows.push_back({shortened(one_line(name.text(r)), kKernelName),
                         shortened(one_line(shapes.text(r)), kKernelName), fixed(calls.number(r), 0), t[i], g[i],
                         share_text(roof.number(r) / 100), bound.text(r)});
  }
  if (part.rows.empty() && !mfu) return std::nullopt;
  if (const auto missing = facts.value("operator.unmodelled_time_ratio"); missing && *missing > 0)
    part.sentences.push_back(share_text(*missing) + " of the operators' GPU time has no model");
  return part;
}

}  // namespace assay::look
