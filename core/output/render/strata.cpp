#include "render/strata.hpp"

#include <algorithm>
#include <utility>

#include "render/format.hpp"

namespace assay {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

/// Labels with equal values in every row.
Labels common_labels(const std::vector<const Labels*>& rows) {
  Labels common;
  if (rows.size() < 2) return common;
  std::copy_if(rows[0]->begin(), rows[0]->end(), std::back_inserter(common), [&](const auto& label) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const Labels* row) { return std::find(row->begin(), row->end(), label) != row->end(); });
  });
  return common;
}

/// Common text of `to_text` for all items; empty if texts differ. Ignores items without text.
template <class Items, class ToText>
std::optional<std::string> common_text(const Items& items, ToText to_text) {
  std::string common;
  for (const auto& item : items) {
    std::string text = to_text(item);
    if (text.empty()) continue;
    if (!common.empty() && text != common) return std::nullopt;
    common = std::move(text);
  }
  return common;
}

/// Range of the effects' values in one unit; empty without effects.
std::string range_text(const std::vector<const OwnedEffect*>& effects) {
  if (effects.empty()) return {};
  const auto by_value = [](const OwnedEffect* a, const OwnedEffect* b) { return a->value < b->value; };
  const auto [low, high] = std::minmax_element(effects.begin(), effects.end(), by_value);
  return quantity_range((*low)->value, (*high)->value, unit_of(**low));
}

}  // namespace

std::string basis_of(const OwnedEffect& effect) {
  std::string text = effect_basis(effect);
  text.resize(text.find(", ") == std::string::npos ? 0 : text.find(", "));
  return text + (text.empty() || effect.method.empty() ? "" : "; ") + effect.method;
}

StrataText strata_text(const std::vector<OwnedStratum>& strata) {
  StrataText text;
  text.effect =
      common_text(strata, [](const OwnedStratum& s) { return s.effect ? effect_name(*s.effect) : ""; }).value_or("");
  text.basis = common_text(strata, [](const OwnedStratum& s) { return s.effect ? basis_of(*s.effect) : ""; });
  text.reason = common_text(strata, [](const OwnedStratum& s) { return s.reason; });
  std::vector<const Labels*> rows;
  for (const OwnedStratum& s : strata) rows.push_back(&s.labels);
  const Labels common = common_labels(rows);
  if (!common.empty()) text.common = label_list(common);
  for (const Labels* row : rows) {
    Labels own;
    std::copy_if(row->begin(), row->end(), std::back_inserter(own),
                 [&](const auto& label) { return std::find(common.begin(), common.end(), label) == common.end(); });
    text.labels.push_back(label_list(own));
  }
  return text;
}

std::vector<VerdictRange> verdict_ranges(const std::vector<OwnedStratum>& strata) {
  std::vector<VerdictRange> ranges;
  for (const Verdict verdict : {Verdict::kSupported, Verdict::kRefuted, Verdict::kInconclusive, Verdict::kUntestable}) {
    VerdictRange range{verdict, 0, {}};
    std::vector<const OwnedEffect*> effects;
    for (const OwnedStratum& s : strata) {
      if (s.verdict != verdict) continue;
      ++range.count;
      if (s.effect) effects.push_back(&*s.effect);
    }
    range.values = range_text(effects);
    if (range.count > 0) ranges.push_back(std::move(range));
  }
  return ranges;
}

std::vector<EvidenceGroup> evidence_groups(const std::vector<OwnedFinding>& findings) {
  std::vector<EvidenceGroup> groups;
  for (const OwnedFinding& finding : findings) {
    if (finding.role != FindingRole::kEvidence) continue;
    const std::string effect = finding.effect ? effect_name(*finding.effect) : "";
    const bool alike = !groups.empty() && groups.back().effect == effect &&
                       (!effect.empty() || groups.back().findings.front()->analyzer == finding.analyzer);
    if (!alike) groups.push_back({{}, effect, {}, {}});
    groups.back().findings.push_back(&finding);
  }
  for (EvidenceGroup& group : groups) {
    std::vector<const Labels*> rows;
    std::vector<const OwnedEffect*> effects;
    for (const OwnedFinding* finding : group.findings) {
      rows.push_back(&finding->labels);
      if (finding->effect) effects.push_back(&*finding->effect);
    }
    const Labels common = common_labels(rows);
    if (!common.empty()) group.common = label_list(common);
    group.values = range_text(effects);
  }
  return groups;
}

}  // namespace assay
