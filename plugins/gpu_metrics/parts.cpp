#include "parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algo/paths/device_work.hpp"
#include "algo/paths/launch_paths.hpp"
#include "algo/paths/path_times.hpp"

namespace assay::gpu_metrics {
namespace {

constexpr std::string_view kCopies = "memory copies";
/// Minimum share of a sample's time with kernels of a class; below, the sample also belongs to others.
constexpr double kOwned = 0.9;
/// A sample after a pause longer than this many periods covers the pause and is not used.
constexpr std::int64_t kLongestPeriod = 3;

std::size_t count_of(const std::vector<SampleRange>& ranges) {
  std::size_t count = 0;
  for (const SampleRange& range : ranges) count += range.last - range.first;
  return count;
}

Part whole_part(const Report& report, const DeviceSamples& samples) {
  std::int64_t start = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  each_device_work(report, [&](const DeviceWorkItem& work) {
    if (work.device != samples.device) return;
    start = std::min(start, work.start);
    end = std::max(end, work.end);
  });
  Part part{.key = {}, .value = {}, .title = "all, from the first to the last work"};
  if (start <= end) part.ranges = merged({samples.within(start, end)});
  return part;
}

class RangeParts {
 public:
  RangeParts(const Report& report, const DeviceSamples& samples)
      : tree_(report), of_node_(tree_.nodes().size()), samples_(samples) {
    const ranges::LaunchPaths launches(report, tree_, samples.device);
    tree_.each([&](const ranges::Occurrence& range) {
      const Interval work = launches.work(range);
      if (work.end > work.start) of_node_[index(range.node)].push_back(samples_.within(work.start, work.end));
    });
    step_ = ranges::step_node(report, tree_);
  }

  /// The `most` paths with the most samples, parents before children.
  [[nodiscard]] std::vector<Part> paths(std::size_t most) const {
    std::vector<std::vector<SampleRange>> joined;
    for (const auto& ranges : of_node_) joined.push_back(merged(ranges));
    std::vector<std::size_t> order(joined.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return count_of(joined[a]) > count_of(joined[b]); });
    if (order.size() > most) order.resize(most);
    std::vector<bool> kept(joined.size(), false);
    for (const std::size_t n : order) kept[n] = !of_node_[n].empty();
    std::vector<Part> out;
    add_below(kNone, kept, joined, out);
    return out;
  }

  /// All steps together, and each alone; empty if there are none.
  [[nodiscard]] std::vector<Part> steps() const {
    if (step_ == kNone || of_node_[index(step_)].empty()) return {};
    Part part{.key = "step", .value = std::string(tree_.name(step_)), .title = "steps"};
    part.steps = of_node_[index(step_)];
    part.ranges = merged(part.steps);
    return {std::move(part)};
  }

 private:
  static std::size_t index(Row row) { return static_cast<std::size_t>(row); }

  void add_below(Row parent, const std::vector<bool>& kept, std::vector<std::vector<SampleRange>>& joined,
                 std::vector<Part>& out) const {
    for (std::size_t n = 0; n < kept.size(); ++n) {
      const ranges::PathNode& node = tree_.nodes()[n];
      if (node.parent != parent) continue;
      const auto row = static_cast<Row>(n);
      if (kept[n])
        out.push_back(
            Part{.key = "path",
                 .value = tree_.path(row),
                 .title = std::string(2 * static_cast<std::size_t>(node.depth), ' ') + std::string(tree_.name(row)),
                 .ranges = std::move(joined[n])});
      add_below(row, kept, joined, out);
    }
  }

  ranges::PathTree tree_;
  std::vector<std::vector<SampleRange>> of_node_;
  const DeviceSamples& samples_;
  Row step_ = kNone;
};

/// Finds samples that belong to a single class.
class ClassCover {
 public:
  explicit ClassCover(const DeviceSamples& samples) : samples_(samples), longest_(kLongestPeriod * samples.period()) {}

  /// Work of a class: any order of classes, sorted by start within each.
  void add(const std::string& name, std::int64_t start, std::int64_t end) {
    const std::vector<std::int64_t>& times = samples_.times;
    Cover& cover = covers_[name];
    start = std::max(start, cover.reach);
    if (end <= start || times.empty()) return;
    cover.reach = end;
    cover.ns.resize(times.size());
    const auto first = std::ranges::upper_bound(times, start) - times.begin();
    for (auto i = static_cast<std::size_t>(first); i < times.size() && begin_of(i) < end; ++i)
      cover.ns[i] += std::max<std::int64_t>(0, std::min(end, times[i]) - std::max(start, begin_of(i)));
  }

  [[nodiscard]] std::vector<Part> parts() const {
    std::vector<Part> out;
    for (const auto& [name, cover] : covers_) {
      Part part{.key = "class", .value = name, .title = name};
      for (std::size_t i = 0; i < cover.ns.size(); ++i) {
        const std::int64_t length = samples_.times[i] - begin_of(i);
        const bool owned = length > 0 && static_cast<double>(cover.ns[i]) >= kOwned * static_cast<double>(length);
        if (!owned || length > longest_) continue;
        if (!part.ranges.empty() && part.ranges.back().last == i)
          ++part.ranges.back().last;
        else
          part.ranges.push_back({i, i + 1});
      }
      out.push_back(std::move(part));
    }
    std::ranges::stable_sort(out, [](const Part& a, const Part& b) { return count_of(a.ranges) > count_of(b.ranges); });
    return out;
  }

 private:
  struct Cover {
    std::int64_t reach = std::numeric_limits<std::int64_t>::min();
    std::vector<std::int64_t> ns{};  ///< by sample
  };

  [[nodiscard]] std::int64_t begin_of(std::size_t sample) const {
    return sample == 0 ? samples_.times[0] - longest_ / kLongestPeriod : samples_.times[sample - 1];
  }

  const DeviceSamples& samples_;
  std::int64_t longest_;
  std::map<std::string, Cover> covers_;
};

std::vector<Part> class_parts(const Report& report, const DeviceSamples& samples, const NameRules& classes) {
  ClassCover cover(samples);
  if (const KernelTable* kernels = report.kernels; kernels != nullptr && kernels->name.present()) {
    std::map<StringId, std::string> known;
    ComputeCapability capability;
    for (std::size_t d = 0; d < report.devices->rows; ++d) {
      const DeviceTable& devices = *report.devices;
      if (devices.id[d] == samples.device && devices.compute_major.present() && devices.compute_major[d] != kNone)
        capability = {devices.compute_major[d], std::max(devices.compute_minor[d], 0)};
    }
    for (std::size_t k = 0; k < kernels->rows; ++k) {
      if (kernels->device[k] != samples.device) continue;
      const auto [at, is_new] = known.try_emplace(kernels->name[k]);
      if (is_new) at->second = classes.class_of(report.string(kernels->name[k]), capability);
      cover.add(at->second, kernels->start[k], kernels->end[k]);
    }
  }
  if (const CopyTable* copies = report.copies; copies != nullptr) {
    for (std::size_t c = 0; c < copies->rows; ++c) {
      if (copies->device[c] == samples.device) cover.add(std::string(kCopies), copies->start[c], copies->end[c]);
    }
  }
  return cover.parts();
}

/// Prefix sums and counts of a column over the samples of a GPU.
class RunningSums {
 public:
  RunningSums(const Column<std::int64_t>& column, const DeviceSamples& samples)
      : sums_(samples.rows.size() + 1), counts_(samples.rows.size() + 1) {
    for (std::size_t i = 0; i < samples.rows.size(); ++i) {
      const std::int64_t value = column[samples.rows[i]];
      sums_[i + 1] = sums_[i] + (value == kNoCell ? 0 : static_cast<double>(value));
      counts_[i + 1] = counts_[i] + (value == kNoCell ? 0U : 1U);
    }
  }
  /// Mean over the samples of all ranges; NaN if fewer than kMinSamples have a value.
  [[nodiscard]] double mean(std::span<const SampleRange> ranges) const {
    double sum = 0;
    std::size_t count = 0;
    for (const SampleRange& range : ranges) {
      sum += sums_[range.last] - sums_[range.first];
      count += counts_[range.last] - counts_[range.first];
    }
    return count < kMinSamples ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
  }

 private:
  std::vector<double> sums_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

std::vector<Part> measure_parts(const Report& report, const DeclaredTable& table, const DeviceSamples& samples,
                                const NameRules& classes, std::size_t most) {
  std::vector<Part> parts{whole_part(report, samples)};
  const RangeParts ranges(report, samples);
  for (std::vector<Part> some : {ranges.paths(most), ranges.steps(), class_parts(report, samples, classes)})
    std::ranges::move(some, std::back_inserter(parts));
  for (Part& part : parts) part.samples = count_of(part.ranges);
  for (std::size_t m = 0; m < kMeasures.size(); ++m) {
    const Column<std::int64_t> column = table.integers(kMeasures[m].column);
    if (!column.present()) continue;
    const RunningSums sums(column, samples);
    for (Part& part : parts) {
      part.values[m] = kMeasures[m].scale * sums.mean(part.ranges);
      for (const SampleRange& step : part.steps) {
        const double value = kMeasures[m].scale * sums.mean({&step, 1});
        if (!std::isnan(value)) part.step_values[m].push_back(value);
      }
    }
  }
  return parts;
}

}  // namespace assay::gpu_metrics
