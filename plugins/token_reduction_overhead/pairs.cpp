#include "pairs.hpp"

#include <algorithm>

#include "assay/algo/dims.hpp"
#include "assay/algo/summary.hpp"
#include "forwards.hpp"

namespace assay::tokens {
namespace {

/// Median over the runs of a side that have the fact, whose rows are added to the evidence; the ranks of a job count as
/// one run.
std::optional<double> value_of(const StudyView& view, const Side& side, std::string_view metric, std::string_view dims,
                               std::vector<std::int64_t>* evidence) {
  std::vector<double> values = values_of_runs(view, side.reports, [&](std::size_t r) -> std::optional<double> {
    const auto fact = view.fact(static_cast<Row>(r), metric, dims);
    if (!fact) return std::nullopt;
    if (evidence != nullptr) evidence->push_back(static_cast<std::int64_t>(*fact));
    return view.study().facts->value[*fact];
  });
  if (values.empty()) return std::nullopt;
  return median_in_place(values);
}

/// Kernels by name, averaged over the reports that list any.
void read_kernels(const StudyView& view, Side& side) {
  double listing = 0;
  for (const std::size_t r : side.reports) {
    bool any = false;
    const auto add = [&](std::string_view metric, double ForwardCost::* part) {
      view.each_fact(static_cast<Row>(r), metric, [&](std::size_t fact) {
        const std::string_view dims = view.study().facts->dims[fact];
        const std::pair key(dim_value(dims, "class").value_or(""), dim_value(dims, "kernel").value_or(""));
        side.by_name[key].*part += view.study().facts->value[fact];
        any = true;
      });
    };
    add("token.kernel_time_ns", &ForwardCost::time);
    add("token.kernel_count", &ForwardCost::count);
    listing += any ? 1 : 0;
  }
  for (auto& [key, kernels] : side.by_name) {
    kernels.time /= listing;
    kernels.count /= listing;
    side.by_class[key.first] += kernels;
  }
}

void read_side(const StudyView& view, Side& side, bool opaque, std::vector<std::int64_t>& evidence) {
  side.busy = value_of(view, side, "iteration.gpu_busy_ns", {}, &evidence);
  side.period = value_of(view, side, "iteration.period_ns", {}, &evidence);
  side.copy_time = value_of(view, side, "token.memory_time_ns", "kind=copy", nullptr);
  side.set_time = value_of(view, side, "token.memory_time_ns", "kind=set", nullptr);
  side.copy_bytes = value_of(view, side, "token.memory_bytes", "kind=copy", nullptr);
  side.set_bytes = value_of(view, side, "token.memory_bytes", "kind=set", nullptr);
  if (opaque) return;
  side.kernels = value_of(view, side, "iteration.kernel_count", {}, &evidence);
  side.launch_bound = value_of(view, side, "launch.bound_ratio", {}, &evidence);
  read_kernels(view, side);
}

/// Kernels of the reduced run whose class and name do not occur in the base; names within the base's rest are unknown.
void find_added(Pair& pair) {
  pair.rest = std::any_of(pair.base.by_name.begin(), pair.base.by_name.end(),
                          [](const auto& entry) { return entry.first.second == kRest; });
  for (const auto& [key, kernels] : pair.treated.by_name) {
    if (key.second == kRest || pair.base.by_name.contains(key)) continue;
    pair.added[key.first] += kernels;
    pair.added_names.emplace_back(key.second, kernels);
  }
  std::sort(pair.added_names.begin(), pair.added_names.end(), [](const auto& a, const auto& b) {
    return a.second.time != b.second.time ? a.second.time > b.second.time : a.first < b.first;
  });
}

/// Whether more than half of the busy time of a run may be in graphs that were traced as a whole.
bool is_opaque(const StudyView& view, const Stratum& stratum) {
  const auto hidden = [&](std::size_t r) {
    const auto opaque = view.value(static_cast<Row>(r), "graph.opaque_ratio");
    return !opaque || *opaque > 0.5;  // unknown is not the same as none
  };
  return std::any_of(stratum.base.begin(), stratum.base.end(), hidden) ||
         std::any_of(stratum.treated.begin(), stratum.treated.end(), hidden);
}

Pair pair_of(const StudyView& view, const Design& design, const Stratum& stratum) {
  Pair pair;
  for (const auto& label : stratum.labels) {
    if (label.first == design.batch_label) {
      pair.batch_text = label.second;
    } else {
      pair.labels.push_back(label);
    }
  }
  const auto batch_label = view.label(design.batch_label);
  const auto batch = batch_label ? view.label_value(stratum.base.front(), *batch_label) : std::nullopt;
  if (batch && view.study().labels->numeric[*batch_label] != 0) pair.batch = view.study().label_values->order[*batch];
  pair.opaque = is_opaque(view, stratum);
  pair.base.reports = stratum.base;
  pair.treated.reports = stratum.treated;
  for (Side* side : {&pair.base, &pair.treated}) read_side(view, *side, pair.opaque, pair.evidence);
  if (!pair.base.by_name.empty()) find_added(pair);
  return pair;
}

}  // namespace

std::optional<double> Side::utilization() const {
  if (!busy || !period || *period <= 0) return std::nullopt;
  return *busy / *period;
}

std::optional<double> Side::memory_share() const {
  if (!busy || *busy <= 0 || by_name.empty()) return std::nullopt;
  return (of_class(kMemory).time + copy_time.value_or(0) + set_time.value_or(0)) / *busy;
}

ForwardCost Side::of_class(std::string_view kernel_class) const {
  const auto at = by_class.find(std::string(kernel_class));
  return at == by_class.end() ? ForwardCost{} : at->second;
}

std::optional<double> Pair::speedup() const {
  if (!base.period || !treated.period || *treated.period <= 0 || *base.period <= 0) return std::nullopt;
  return *base.period / *treated.period;
}

Pairs read_pairs(const StudyView& view, const Design& design) {
  Pairs out;
  Matching matching = match_pairs(view, design.label, design.base, design.treated);
  for (const Stratum& stratum : matching.strata) out.pairs.push_back(pair_of(view, design, stratum));
  out.unmatched = std::move(matching.unmatched);
  return out;
}

}  // namespace assay::tokens
