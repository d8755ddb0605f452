#include "conclude/untestable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "assay/algo/cells.hpp"
#include "config/claim_keys.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxClaims = 4;

std::vector<LabelCondition> label_conditions(const OptionSet& keys) {
  std::vector<LabelCondition> out;
  for (const OptionSet::Entry& entry : keys.entries()) {
    const auto* texts = std::get_if<std::vector<std::string>>(&entry.value);
    if (entry.type != OptionType::kConditionList || texts == nullptr) continue;
    const std::vector<LabelCondition> named = conditions_of(std::vector<Str>(texts->begin(), texts->end()));
    out.insert(out.end(), named.begin(), named.end());
  }
  return out;
}

std::string alternatives(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "|") + value;
  return text;
}

/// Reports of a question by label values.
class ReportsByLabel {
 public:
  ReportsByLabel(const Question& question, const Catalog& catalog, const QuestionCatalog& found)
      : labels_(question.labels.labels), catalog_(catalog) {
    for (const CatalogEntry& entry : found.entries) {
      if (entry.role == ReportRole::kQuestion && entry.name_problems.empty()) entries_.push_back(&entry);
    }
  }

  [[nodiscard]] bool declared(const std::string& label) const {
    return std::ranges::find(labels_, label, &LabelSpec::name) != labels_.end();
  }

  /// Keeps only reports whose label has one of the values.
  void keep(const std::string& label, const std::vector<std::string>& values) {
    std::erase_if(entries_, [&](const CatalogEntry* entry) {
      const std::optional<std::string> own = value_of(*entry, label);
      return !own || std::ranges::find(values, *own) == values.end();
    });
  }

  /// Whether a report of `other` agrees with one of these in all labels but `label` and descriptive ones.
  [[nodiscard]] bool has_partner_in(const ReportsByLabel& other, const std::string& label) const {
    std::set<OtherLabels> theirs;
    for (const CatalogEntry* entry : other.entries_) theirs.insert(others(*entry, label));
    return std::ranges::any_of(entries_,
                               [&](const CatalogEntry* entry) { return theirs.contains(others(*entry, label)); });
  }

  [[nodiscard]] bool none() const { return entries_.empty(); }
  [[nodiscard]] const std::string& first() const { return catalog_.files[entries_.front()->file].name; }

 private:
  [[nodiscard]] std::optional<std::string> value_of(const CatalogEntry& entry, const std::string& label) const {
    for (const LabelOfReport& one : entry.labels) {
      if (labels_[one.label].name == label) return one.text;
    }
    return std::nullopt;
  }

  using OtherLabels = std::vector<std::pair<std::size_t, std::string>>;
  [[nodiscard]] OtherLabels others(const CatalogEntry& entry, const std::string& label) const {
    OtherLabels out;
    for (const LabelOfReport& one : entry.labels) {
      const LabelSpec& spec = labels_[one.label];
      if (!spec.descriptive && spec.name != label) out.emplace_back(one.label, one.text);
    }
    return out;
  }

  const std::vector<LabelSpec>& labels_;
  const Catalog& catalog_;
  std::vector<const CatalogEntry*> entries_;
};

}  // namespace

std::string lacking_run(const PlannedClaim& claim, const PlannedQuestion& planned, const Catalog& catalog,
                        const QuestionCatalog& found) {
  const ClaimShape about = claim_shape(claim.keys.entries());
  ReportsByLabel left(*planned.question, catalog, found);
  if (left.none()) return {};
  for (const LabelCondition& condition : label_conditions(claim.keys)) {
    if (!left.declared(condition.label)) continue;  // built-in labels are unknown before the reports are read
    left.keep(condition.label, condition.values);
    if (left.none())
      return fmt::format("no run that it is about has {}={}", condition.label, alternatives(condition.values));
  }
  if (about.label.empty() || about.base.empty() || about.treated.empty() || !left.declared(about.label)) return {};
  ReportsByLabel base = left, treated = left;
  base.keep(about.label, {about.base});
  treated.keep(about.label, about.treated);
  if (treated.none()) return fmt::format("no run has {}={}", about.label, alternatives(about.treated));
  if (treated.has_partner_in(base, about.label)) return {};
  return fmt::format("a run like {} with {}={} would be a base", treated.first(), about.label, about.base);
}

std::vector<OwnedFinding> untestable_claims(const AnalyzedQuestion& question, const std::vector<OwnedClaim>& claims) {
  std::size_t count = 0;
  std::string text;
  for (const OwnedClaim& claim : claims) {
    if (claim.verdict != Verdict::kUntestable || ++count > kMaxClaims) continue;
    std::string why = claim.reason;
    for (const PlannedClaim& planned : question.planned.claims) {
      if (planned.config->id != claim.id) continue;
      const std::string lacking = lacking_run(planned, question.planned, question.catalog, question.found);
      if (!lacking.empty()) why += " (" + lacking + ")";
    }
    text += fmt::format("{}{}: {}.", text.empty() ? "" : " ", claim.id, why);
  }
  if (count == 0) return {};
  if (count > kMaxClaims) text += " And " + std::to_string(count - kMaxClaims) + " more, each with its claim.";
  const std::string what = fmt::format("{} of {}{} cannot be tested with these profiles", count, claims.size(),
                                       claims.size() == 1 ? " claim" : " claims");
  return {{"", FindingRole::kNote, what, text, std::nullopt, {}, {}}};
}

}  // namespace assay
