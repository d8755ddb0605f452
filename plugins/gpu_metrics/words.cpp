#include "words.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/dims.hpp"
#include "assay/words.hpp"

namespace assay::gpu_metrics {
namespace {

constexpr std::size_t kMaxFindings = 5;
/// A smaller drop of the clock is a step to the neighbouring frequency.
constexpr double kFalls = 0.97;
constexpr double kLoaded = 0.5;

std::string spoken(const Part& part) { return part.key == "class" ? part.value : "'" + part.value + "'"; }

}  // namespace

std::string megahertz(double hertz) { return std::isnan(hertz) ? std::string() : printed("%.0f MHz", hertz / 1e6); }

std::string clock_text(const DeviceParts& device) {
  const Part *low = nullptr, *high = nullptr;
  for (const Part& part : device.parts) {
    if (part.key.empty() || std::isnan(part.values[kClock])) continue;
    if (low == nullptr || part.values[kClock] < low->values[kClock]) low = &part;
    if (high == nullptr || part.values[kClock] > high->values[kClock]) high = &part;
  }
  if (low == nullptr || low->values[kClock] > kFalls * high->values[kClock]) return {};
  const double active = low->values[kSmsActive], tensor = low->values[kTensorActive];
  const bool loaded = active >= kLoaded;
  std::string text = loaded ? "power lowers the clock: " : "the clock is not always the same: ";
  text += megahertz(low->values[kClock]) + " in " + spoken(*low);
  if (loaded) {
    text += " (" + percent(active, 0) + " of the SMs active";
    if (!std::isnan(tensor)) text += ", tensor cores " + percent(tensor, 0);
    text += ")";
  }
  return filled("{}, {} in {}", {text, megahertz(high->values[kClock]), spoken(*high)});
}

std::vector<Finding> findings(const StudyView& view) {
  std::vector<Finding> out;
  for (const std::size_t report : view.participants()) {
    const auto row = static_cast<Row>(report);
    const auto active = view.value(row, "gpu.sm_active_ratio");
    if (!active || out.size() == kMaxFindings) continue;
    Finding finding;
    finding.title = filled(
        "{}SMs are active {} of the time from the first to the last work",
        {view.participants().size() > 1 ? std::string(view.path(report)) + ": " : std::string(), percent(*active, 0)});
    view.each_fact(row, "gpu.sm_active_ratio",
                   [&](std::size_t fact) { finding.evidence.push_back(static_cast<std::int64_t>(fact)); });
    double most = 0;
    view.each_fact(row, "gpu_metrics.sms_active_ratio", [&](std::size_t fact) {
      const auto path = dim_value(view.study().facts->dims[fact].view(), "path");
      const double value = view.study().facts->value[fact];
      if (!path || value <= most) return;
      most = value;
      finding.text = filled("Most are in '{}' ({}).", {*path, percent(value, 0)});
    });
    finding.text += finding.text.empty() ? "" : " ";
    finding.text += "The table has every range, step and class of kernels with at least " +
                    std::to_string(kMinSamples) + " samples.";
    out.push_back(std::move(finding));
  }
  return out;
}

}  // namespace assay::gpu_metrics
