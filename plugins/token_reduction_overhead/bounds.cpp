#include "bounds.hpp"

#include "assay/algo/matching.hpp"
#include "assay/algo/speed_of_light.hpp"
#include "assay/words.hpp"
#include "forwards.hpp"

namespace assay::tokens {
namespace {

/// Of the kernels that the base has not: by class, the time of all reduced runs by bound.
std::map<std::string, BoundTimes> added_times(const StudyView& view, const Pair& pair,
                                              std::vector<std::int64_t>& evidence) {
  std::map<std::string, BoundTimes> out;
  const FactTable& facts = *view.study().facts;
  for (const std::size_t report : pair.treated.reports) {
    view.each_fact(static_cast<Row>(report), "token.bound_time_ns", [&](std::size_t fact) {
      const std::string_view dims = facts.dims[fact];
      const std::pair key(dim_value(dims, "class").value_or(""), dim_value(dims, "kernel").value_or(""));
      if (key.second == kRest || pair.base.by_name.contains(key)) return;
      out[key.first].add(bound_named(dim_value(dims, "bound").value_or("")), facts.value[fact]);
      evidence.push_back(static_cast<std::int64_t>(fact));
    });
  }
  return out;
}

}  // namespace

std::optional<Finding> bounds_of_added(const StudyView& view, const Pair& pair, const Design& design) {
  if (pair.base.by_name.empty()) return std::nullopt;
  Finding finding;
  const std::map<std::string, BoundTimes> added = added_times(view, pair, finding.evidence);
  BoundTimes all;
  for (const auto& [kernel_class, times] : added) all += times;
  if (all.total() <= 0) return std::nullopt;
  finding.role = FindingRole::kEvidence;
  finding.labels = pair.labels;
  if (!pair.batch_text.empty()) finding.labels.emplace_back(design.batch_label, pair.batch_text);
  finding.title = "The added kernels are bound by " + all.text();
  finding.text = "Counters of Nsight Compute, weighted by the GPU time of the kernels that only the reduced run has (" +
                 time_text(all.total() / static_cast<double>(pair.treated.reports.size())) + " per forward). ";
  for (const auto& [kernel_class, times] : added) finding.text += "Class " + kernel_class + ": " + times.text() + ". ";
  finding.text +=
      "Kernels bound by latency are too small to fill the device: fuse them or use a larger batch. Kernels bound by "
      "memory should move fewer bytes.";
  return finding;
}

}  // namespace assay::tokens
