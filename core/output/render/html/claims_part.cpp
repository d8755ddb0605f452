
#include <fmt/core.h>

#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/html/page.hpp"
#include "render/provenance.hpp"
#include "render/strata.hpp"

namespace assay {
namespace {

std::string strata_part(const PageInput& page, const QuestionRun& question, const OwnedClaim& claim,
                        const std::string& id) {
  const StrataText words = strata_text(claim.strata);
  std::vector<HtmlColumn> columns = {{"setting", {}},
                                     {"verdict", {}},
                                     {(words.effect.empty() ? "effect" : words.effect) + " with interval", {}, true},
                                     {"n", "runs", true}};
  if (!words.basis) columns.push_back({"interval", {}});
  if (!words.reason) columns.push_back({"why", {}});
  columns.push_back({"facts", {}});
  HtmlTable table(id + "-strata", claim.text + " Verdict by setting", columns, "data strata");
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
  if (!words.common.empty()) said += "Everywhere: " + words.common + ". ";
  if (words.basis && !words.basis->empty()) said += "Intervals: " + *words.basis + ". ";
  if (claim.strata.size() > 1 && words.reason && !words.reason->empty())
    said += "Why, everywhere: " + *words.reason + ".";
  return fmt::format(
      "<details id=\"{}\"><summary>{} {} <span class=\"small\">{}</span></summary>\n<p "
      "class=\"small\">{}</p>\n{}</details>\n",
      id, verdict_chip(claim.verdict), html(claim.text), counted_strata(claim), html(said), table.str());
}

}  // namespace

std::string claims_part(const PageInput& page, const QuestionRun& question) {
  const QuestionResult& result = question.result;
  if (result.claims.empty()) return {};
  const std::string prefix = "claim-" + std::to_string(question.number) + "-";
  HtmlTable table(prefix + "table", "Claimed vs. measured (grey band: claimed range)",
                  {{"verdict", {}}, {"claim", {}}, {"claimed", {}}, {"measured", {}}, {"n", "runs"}, {"source", {}}},
                  "claims");
  std::string details;
  for (const OwnedClaim& claim : result.claims) {
    const std::string id = prefix + slug(claim.id);
    const std::string on = judged_on(claim);
    std::string said = fmt::format("<strong>{}</strong><br><span class=\"small\">{}</span>", html(claim.text),
                                   html(claim.reason + (on.empty() ? "" : "; " + on)));
    if (!claim.strata.empty()) {
      said += " <a class=\"small\" href=\"#" + id + "\">each setting and its facts</a>";
      details += strata_part(page, question, claim, id);
    }
    table.row({{verdict_chip(claim.verdict), true},
               {said, true},
               {claimed_text(claim)},
               {html(measured_text(claim)) + claim_drawing(claim), true},
               {runs_text(claim)},
               {claim.source}});
  }
  if (!details.empty()) details = "<h4>Setting by setting</h4>\n" + details;
  const std::string sources = sources_line(question.question);
  const std::string spelled = sources.empty() ? "" : "<p class=\"small\">Sources: " + html(sources) + "</p>\n";
  return folded_part("Claims", std::to_string(result.claims.size()), table.str() + spelled + details);
}

}  // namespace assay
