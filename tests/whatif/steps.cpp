#include "steps.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "assay/algo/summary.hpp"
#include "support/kinds.hpp"
#include "support/real_data.hpp"

namespace assay::whatif {
namespace {

/// Whether a kernel was launched in one of the iterations: the host's ranges, as a replay has them.
class Iterations {
 public:
  explicit Iterations(const Report& report) : report_(report) {}
  [[nodiscard]] bool hold(Row kernel) const {
    const Row call = report_.kernels->call[kernel];
    if (call < 0) return false;
    const std::int64_t at = report_.calls->start[call];
    const IterationTable& iterations = *report_.iterations;
    return at >= iterations.start[0] && at < iterations.start[iterations.rows - 1];
  }
  [[nodiscard]] double count() const { return static_cast<double>(report_.iterations->rows - 1); }

 private:
  const Report& report_;
};

LaunchKey key_of(const Report& report, Row kernel) {
  const KernelTable& kernels = *report.kernels;
  return {std::string(report.string(kernels.name[kernel])), std::to_string(kernels.grid_x[kernel]) + "," +
                                                                std::to_string(kernels.grid_y[kernel]) + "," +
                                                                std::to_string(kernels.grid_z[kernel])};
}

}  // namespace

std::string step_file(const std::string& set, const std::string& variant, int block) {
  return "nsys/" + set + "_" + variant + "_block" + std::to_string(block) + ".sqlite";
}

std::string step_data() {
  const char* folder = real_data("step");
  return folder == nullptr ? "" : folder;
}

Run read_step(const std::string& file) {
  FoundFile found;
  found.name = file;
  found.path = std::filesystem::path(step_data()) / file;
  found.kind = file.ends_with(".sqlite") ? kind::kNsys : kind::kTorch;
  Result<Run> run = read_run({found}, {}, {col::kernel_grid});
  if (!run) throw std::runtime_error(run.error().sentence);
  return std::move(*run);
}

double median_ms(std::vector<std::int64_t> lengths) {
  return median(std::vector<double>(lengths.begin(), lengths.end())) / 1e6;
}

double measured_ms(const Run& run) {
  const IterationTable& iterations = *run.report().iterations;
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i + 1 < iterations.rows; ++i)
    lengths.push_back(iterations.start[i + 1] - iterations.start[i]);
  return median_ms(std::move(lengths));
}

std::map<LaunchKey, LaunchesOf> launches(const Run& run) {
  const Report& report = run.report();
  const Iterations iterations(report);
  std::map<LaunchKey, LaunchesOf> out;
  for (Row k = 0; k < static_cast<Row>(report.kernels->rows); ++k) {
    if (!iterations.hold(k)) continue;
    LaunchesOf& of = out[key_of(report, k)];
    of.count += 1 / iterations.count();
    of.time += static_cast<double>(report.kernels->end[k] - report.kernels->start[k]) / iterations.count();
  }
  return out;
}

KernelSwap swapped_kernels(const Run& base, const Run& other) {
  constexpr double kUnequal = 0.5;  // launches a step
  const auto before = launches(base), after = launches(other);
  std::set<LaunchKey> unlike;
  double was = 0, is = 0;
  const auto count = [](const auto& of, const LaunchKey& key) {
    const auto at = of.find(key);
    return at == of.end() ? 0.0 : at->second.count;
  };
  for (const auto& [key, of] : before) {
    if (std::abs(of.count - count(after, key)) < kUnequal) continue;
    unlike.insert(key);
    was += of.time;
  }
  for (const auto& [key, of] : after) {
    if (std::abs(of.count - count(before, key)) >= kUnequal) is += of.time;
  }
  KernelSwap out;
  out.factor = was > 0 ? is / was : 1;
  out.what.work.resize(base.graph.nodes.size(), 0);
  out.what.calls.resize(base.graph.nodes.size(), 0);
  out.what.host.resize(base.graph.edges.size(), 0);
  for (std::size_t n = 0; n < base.graph.nodes.size(); ++n) {
    const replay::Node& node = base.graph.nodes[n];
    if (node.kind != replay::NodeKind::kKernel || !unlike.contains(key_of(base.report(), node.row))) continue;
    out.what.work[n] = 1;
    ++out.what.work_count;
  }
  return out;
}

Mean mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return {mean(values), sample_sd(values) / std::sqrt(n)};
}

}  // namespace assay::whatif
