#include "delta.hpp"

#include <algorithm>
#include <map>

namespace assay::compile {
namespace {

/// Nothing where a run does not say, which is not none.
std::optional<double> largest_opaque(const StudyView& view, const Stratum& stratum, const Design& design) {
  double largest = 0;
  for (const std::size_t r : stratum.treated) {
    const auto opaque = view.value(static_cast<Row>(r), design.opaque_metric);
    if (!opaque) return std::nullopt;
    largest = std::max(largest, *opaque);
  }
  return largest;
}

ModeEffect effect_of(const StudyView& view, const Design& design, const std::string& mode, const std::string& metric,
                     bool is_device, const std::vector<Stratum>& strata, double shared) {
  ModeEffect out;
  out.mode = mode;
  out.metric = metric;
  out.is_device = is_device;
  out.floor = noise_floor(view, metric, {}, design.label);
  for (const Stratum& stratum : strata) {
    PairEffect pair;
    pair.stratum = stratum;
    pair.opaque_ratio = largest_opaque(view, stratum, design);
    const bool hidden = is_device && !(pair.opaque_ratio && *pair.opaque_ratio <= design.opaque_limit);
    out.opaque = out.opaque || hidden;
    out.per_iteration = out.per_iteration || lengths_of(view, stratum.base, stratum.treated, metric, {}).per_iteration;
    if (!hidden) {
      const std::string seed = "compilation_delta/" + mode + "/" + metric;
      pair.contrast = ratio_contrast(view, stratum, metric, {}, out.floor, kLevel, seed);
      const auto strict = ratio_contrast(view, stratum, metric, {}, out.floor, shared, seed);
      pair.differs = strict && differs(*strict);
    }
    out.pairs.push_back(std::move(pair));
  }
  return out;
}

}  // namespace

std::size_t ModeEffect::measured() const {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const PairEffect& p) { return p.contrast.has_value(); }));
}

std::size_t ModeEffect::beyond_floor() const {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const PairEffect& p) { return p.contrast && p.differs; }));
}

std::pair<double, double> ModeEffect::range() const {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const PairEffect& pair : pairs) {
    if (!pair.contrast) continue;
    low = std::min(low, pair.contrast->effect.value);
    high = std::max(high, pair.contrast->effect.value);
  }
  return {low, high};
}

std::vector<std::string> modes(const StudyView& view, const Design& design) {
  std::map<double, std::string> found;
  const auto label = view.label(design.label);
  for (const std::size_t r : label ? view.participants() : std::vector<std::size_t>()) {
    const auto row = view.label_value(r, *label);
    if (row) found.emplace(view.study().label_values->order[*row], view.study().label_values->text[*row].view());
  }
  std::vector<std::string> out;
  for (const auto& [order, text] : found) {
    if (text != design.base) out.push_back(text);
  }
  return out;
}

Delta compare(const StudyView& view, const Design& design) {
  Delta delta;
  const std::vector<std::string> treated = modes(view, design);
  // An uncompiled run need not have a partner in every mode, but a run without any is left out of everything.
  std::map<std::size_t, std::vector<Unmatched>> alone;
  std::vector<Matching> matchings;
  std::size_t tests = 0;
  for (const std::string& mode : treated) {
    matchings.push_back(match_pairs(view, design.label, design.base, mode));
    tests += matchings.back().strata.size() * (design.device_metrics.size() + design.wall_metrics.size());
  }
  const double shared = shared_level(tests, view.level());
  for (std::size_t m = 0; m < treated.size(); ++m) {
    const std::string& mode = treated[m];
    Matching& matching = matchings[m];
    for (const std::string& metric : design.device_metrics) {
      delta.effects.push_back(effect_of(view, design, mode, metric, true, matching.strata, shared));
    }
    for (const std::string& metric : design.wall_metrics) {
      delta.effects.push_back(effect_of(view, design, mode, metric, false, matching.strata, shared));
    }
    for (Unmatched& u : matching.unmatched) alone[u.report].push_back(std::move(u));
  }
  for (const ModeEffect& effect : delta.effects) {
    for (const PairEffect& pair : effect.pairs) {
      const Lengths lengths = lengths_of(view, pair.stratum.base, pair.stratum.treated, effect.metric, {});
      if (!lengths.comparable())
        delta.unmatched.push_back(
            {pair.stratum.treated.front(), effect.metric + " is not compared: " + lengths.refused});
    }
  }
  for (auto& [report, reasons] : alone) {
    const bool is_base = view.label_text(report, design.label) == design.base;
    if (!is_base || reasons.size() == treated.size()) delta.unmatched.push_back(std::move(reasons.front()));
  }
  return delta;
}

}  // namespace assay::compile
