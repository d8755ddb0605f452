#include <algorithm>

#include "render/format.hpp"
#include "render/html/page.hpp"
#include "render/strata.hpp"

namespace assay {
namespace {

/// One stratum's effect, or the range over several.
std::string effect_of(const OwnedClaim& claim) {
  std::vector<const OwnedStratum*> measured;
  for (const OwnedStratum& s : claim.strata) {
    if (s.effect) measured.push_back(&s);
  }
  if (measured.empty()) return "none measured";
  const OwnedEffect& first = *measured.front()->effect;
  if (measured.size() == 1) return effect_name(first) + ": " + with_interval(first);
  double low = first.value, high = first.value;
  for (const OwnedStratum* s : measured) {
    low = std::min(low, s->effect->value);
    high = std::max(high, s->effect->value);
  }
  return effect_name(first) + ": " + quantity_range(low, high, unit_of(first)) + " over " +
         counted(measured.size(), "stratum")
             .replace(std::to_string(measured.size()).size(), std::string::npos, " strata");
}

/// "4", or "2 to 4 a stratum".
std::string runs_of(const OwnedClaim& claim) {
  std::int64_t low = -1, high = 0;
  for (const OwnedStratum& s : claim.strata) {
    if (!s.effect) continue;
    low = low < 0 ? s.effect->n : std::min(low, s.effect->n);
    high = std::max(high, s.effect->n);
  }
  if (low < 0) return "0";
  const std::string text = low == high ? std::to_string(low) : std::to_string(low) + " to " + std::to_string(high);
  return claim.strata.size() > 1 ? text + " a stratum" : text;
}

std::string strata_part(const PageInput& page, const QuestionRun& question, const OwnedClaim& claim,
                        const std::string& id) {
  const StrataText words = strata_text(claim.strata);
  std::vector<HtmlColumn> columns = {{"stratum", {}},
                                     {"verdict", {}},
                                     {(words.effect.empty() ? "effect" : words.effect) + " with interval", {}, true},
                                     {"n", "runs", true}};
  if (!words.basis) columns.push_back({"interval", {}});
  if (!words.reason) columns.push_back({"why", {}});
  columns.push_back({"facts", {}});
  HtmlTable table(id + "-strata", claim.text + " Verdict by stratum", columns);
  for (std::size_t i = 0; i < claim.strata.size(); ++i) {
    const OwnedStratum& s = claim.strata[i];
    const std::string name = s.effect && words.effect.empty() ? effect_name(*s.effect) + " " : "";
    std::vector<HtmlCell> cells = {{words.labels[i]},
                                   {verdict_chip(s.verdict), true},
                                   {s.effect ? name + with_interval(*s.effect) : ""},
                                   {s.effect ? std::to_string(s.effect->n) : ""}};
    if (!words.basis) cells.push_back({s.effect ? basis_of(*s.effect) : ""});
    if (!words.reason) cells.push_back({s.reason});
    cells.push_back({facts_link(page, question, s.evidence), true});
    table.row(cells);
  }
  std::string said;
  if (!words.common.empty()) said += "In all strata: " + words.common + ". ";
  if (words.basis && !words.basis->empty()) said += "Intervals: " + *words.basis + ". ";
  if (words.reason && !words.reason->empty()) said += "Why, in all strata: " + *words.reason + ".";
  return "<details id=\"" + id + "\"><summary>" + verdict_chip(claim.verdict) + " " + html(claim.text) +
         " <span class=\"small\">" + std::to_string(claim.strata.size()) +
         (claim.strata.size() == 1 ? " stratum" : " strata") + "</span></summary>\n<p class=\"small\">" + html(said) +
         "</p>\n" + table.str() + "</details>\n";
}

}  // namespace

std::string claims_part(const PageInput& page, const QuestionRun& question) {
  const QuestionResult& result = question.result;
  if (result.claims.empty()) return {};
  const std::string prefix = "claim-" + std::to_string(question.number) + "-";
  HtmlTable table(prefix + "table", "What is claimed, and what these runs say",
                  {{"verdict", {}}, {"claim", {}}, {"effect with interval", {}}, {"n", "runs"}, {"source", {}}},
                  "claims");
  std::string details;
  for (const OwnedClaim& claim : result.claims) {
    const std::string id = prefix + slug(claim.id);
    std::string said =
        "<strong>" + html(claim.text) + "</strong><br><span class=\"small\">" + html(claim.reason) + "</span>";
    if (!claim.strata.empty()) {
      said += " <a class=\"small\" href=\"#" + id + "\">strata and facts</a>";
      details += strata_part(page, question, claim, id);
    }
    table.row(
        {{verdict_chip(claim.verdict), true}, {said, true}, {effect_of(claim)}, {runs_of(claim)}, {claim.source}});
  }
  if (!details.empty()) details = "<h4>By stratum</h4>\n" + details;
  return "<h3>Claims</h3>\n" + table.str() + details;
}

}  // namespace assay
