// First screen of report.html: the question, its answer, how certain it is, one figure, the verdicts.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "assay/words.hpp"
#include "render/answer_parts.hpp"
#include "render/format.hpp"
#include "render/html/page.hpp"
#include "render/html/page_budget.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/plots/claimed_ranges.hpp"
#include "render/plots/svg.hpp"
#include "render/provenance.hpp"

namespace assay {
namespace {

std::array<std::size_t, 4> verdicts_of(const std::vector<OwnedClaim>& claims) {
  std::array<std::size_t, 4> counts{};
  for (const OwnedClaim& claim : claims) ++counts[static_cast<std::size_t>(claim.verdict)];
  return counts;
}

const OwnedFinding* first_answer(const QuestionResult& result) {
  const auto at = std::ranges::find(result.findings, FindingRole::kAnswer, &OwnedFinding::role);
  return at == result.findings.end() ? nullptr : &*at;
}

/// Whether the effect is a ratio whose interval includes 1.
bool may_be_none(const OwnedEffect& effect) {
  return effect.kind == EffectKind::kRatio && effect.lo < 1 && effect.hi > 1;
}

std::string first_number(const QuestionResult& result) {
  const OwnedFinding* answer = first_answer(result);
  return answer == nullptr ? std::string() : large_number(result, *answer);
}

/// Question on the first screen: the first whose answer is a change confirmed by repeat runs, else the first with a
/// number, else the first with an answer.
const QuestionRun& leading(const std::vector<QuestionRun>& questions) {
  const auto rank = [](const QuestionRun& run) {
    const OwnedFinding* answer = first_answer(run.result);
    const bool drawn = answer_parts(run.result).plot != nullptr;
    if (answer == nullptr) return 4;
    if (first_number(run.result).empty() || !drawn) return 3;
    const OwnedEffect& effect = *answer->effect;
    return effect.scope == Scope::kBetweenRun && std::isfinite(effect.lo) && !may_be_none(effect) ? 1 : 2;
  };
  return *std::ranges::min_element(questions, {}, rank);
}

/// "169 profiles, recorded from 2025-10-01 to 2025-10-03 on NVIDIA H200".
std::string profiles_text(const std::vector<QuestionRun>& questions) {
  std::map<std::string_view, const std::vector<OwnedAttribute>*> read;
  for (const QuestionRun& question : questions) {
    for (const ReportRun& report : question.reports) {
      if (report.result.loaded) read.emplace(report.file.name, &report.result.attributes);
    }
  }
  ReportAttributes attributes;
  for (const auto& [name, own] : read) attributes.push_back(own);
  std::string text = counted(attributes.size(), "profile");
  const Provenance from = provenance_of(attributes);
  const std::string first = from.first.substr(0, from.first.find(' ')), last = from.last.substr(0, from.last.find(' '));
  if (from.dated > 0)
    text += " recorded " + (first == last ? "on " + first : fmt::format("from {} to {}", first, last));
  std::vector<std::string> devices;
  for (const Provenance::Row& row : from.rows) {
    if (row.name == "device" && !row.value.empty()) devices.push_back(row.value);
  }
  return devices.empty() || devices.size() > 3 ? text : text + " with " + listed(devices);
}

/// "Of 41 claims, 9 are supported and 11 refuted; 21 are inconclusive."
std::string claims_sentence(const std::vector<QuestionRun>& questions) {
  std::array<std::size_t, 4> counts{};
  std::size_t all = 0;
  for (const QuestionRun& run : questions) {
    const auto own = verdicts_of(run.result.claims);
    for (std::size_t v = 0; v < own.size(); ++v) {
      counts[v] += own[v];
      all += own[v];
    }
  }
  if (all == 0) return {};
  std::vector<std::string> parts;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] > 0)
      parts.push_back(std::to_string(counts[v]) + " " + std::string(verdict_name(static_cast<Verdict>(v))));
  }
  return fmt::format("{}{}{}.", counted(all, "claim"), all == 1 ? " was judged: " : " were judged: ", listed(parts));
}

std::string certainty_sentence(const QuestionRun& lead, const std::vector<QuestionRun>& questions) {
  const OwnedFinding* answer = first_answer(lead.result);
  std::string text;
  if (answer != nullptr && answer->effect && std::isfinite(answer->effect->lo)) {
    const OwnedEffect& effect = *answer->effect;
    text = effect.scope == Scope::kBetweenRun ? "The interval includes the variation between runs (" +
                                                    counted(static_cast<std::size_t>(effect.n), "run") + ")."
                                              : "One run per side: run-to-run noise is unknown. Record 3.";
  } else if (answer != nullptr && answer->effect) {
    text = "Too few runs for an interval: record 3 per side.";
  }
  const std::string judged = claims_sentence(questions);
  return text + (text.empty() || judged.empty() ? "" : " ") + judged;
}

std::string sign_counts(const std::vector<OwnedClaim>& claims) {
  const auto counts = verdicts_of(claims);
  std::string out;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] > 0) out += verdict_chip(static_cast<Verdict>(v), std::to_string(counts[v])) + " ";
  }
  return out;
}

/// The answer up to its first comma or semicolon outside of brackets, with metrics in words.
std::string first_clause(const QuestionResult& result) {
  const OwnedFinding* answer = first_answer(result);
  if (answer == nullptr) return {};
  const std::string& title = answer->title;
  std::size_t end = 0;
  int depth = 0;
  for (; end < title.size() && (depth > 0 || (title[end] != ';' && title.compare(end, 2, ", ") != 0)); ++end) {
    if (title[end] == '(' || title[end] == '[') ++depth;
    if (title[end] == ')' || title[end] == ']') --depth;
  }
  const bool open = end < title.size() && answer->effect && answer->effect->scope != Scope::kBetweenRun;
  return MetricWords(result.metrics).in_html(html(title.substr(0, end) + (open ? " (not confirmed)" : "")));
}

/// A few lines per question: name, number, answer, verdicts.
std::string question_list(const std::vector<QuestionRun>& questions) {
  std::string out = "<ul class=\"verdicts\">\n";
  for (const QuestionRun& run : questions) {
    const std::string number = first_number(run.result);
    out +=
        fmt::format("<li><a href=\"#q-{}\">{}</a>{}<div class=\"small\">{}</div><span class=\"chips\">{}</span></li>\n",
                    slug(run.question.id), html(question_title(run.question)),
                    number.empty() ? "" : " <strong>" + html(number) + "</strong>", first_clause(run.result),
                    sign_counts(run.result.claims));
  }
  return out + "</ul>\n";
}

/// Claims of the only question with their verdicts; without claims its other answers.
std::string claim_list(const QuestionRun& run) {
  constexpr std::size_t kMax = 9, kMaxAnswers = 4;
  std::string out;
  std::size_t shown = 0;
  for (const OwnedClaim& claim : run.result.claims) {
    if (++shown > kMax) break;
    out += fmt::format("<li>{} {}</li>\n", verdict_chip(claim.verdict), html(claim.text));
  }
  const OwnedFinding* lead = first_answer(run.result);
  for (const OwnedFinding& finding : run.result.findings) {
    if (!run.result.claims.empty() || finding.role != FindingRole::kAnswer || &finding == lead) continue;
    if (++shown <= kMaxAnswers) out += "<li>" + html(finding.title) + "</li>\n";
  }
  return out.empty() ? out : "<ul class=\"claim-list\">\n" + out + "</ul>\n";
}

}  // namespace

std::string large_number(const QuestionResult& result, const OwnedFinding& finding) {
  if (!finding.effect || !std::isfinite(finding.effect->value)) return {};
  const OwnedEffect& effect = *finding.effect;
  if (effect.kind != EffectKind::kRatio) {
    // "0.596" needs an explanation; "3.2 ms" does not.
    const std::string unit(unit_of(effect));
    return unit.empty() || unit == "1" || unit == "ratio" ? "" : quantity(effect.value, unit);
  }
  if (may_be_none(effect)) return {};  // the interval includes no change, so there is no number to show
  const auto metric = std::ranges::find(result.metrics, effect.metric, &OwnedMetric::id);
  return effect.value > 0 ? change_text(effect.value, metric == result.metrics.end() ? "" : metric->unit) : "";
}

std::string small_figure(const QuestionRun& question, const OwnedPlot& whole) {
  // A small drawing has no pixels for more points, and each takes 200 bytes of the page.
  const std::optional<OwnedPlot> thin = thinned(whole, 1000);
  const OwnedPlot& plot = thin ? *thin : whole;
  const ClaimedRanges claimed = claimed_ranges(question.result, plot);
  return fmt::format("<figure class=\"small-plot\"><figcaption>{}</figcaption>{}</figure>\n", html(plot.title),
                     small_svg(plot, drawing_of(plot, claimed.ranges)));
}

std::string first_screen(const PageInput& page) {
  const QuestionRun& lead = leading(page.questions);
  const bool one = page.questions.size() == 1;
  const MetricWords words(lead.result.metrics);
  const std::string& study = page.questions.front().question.study;
  const std::string title = one ? question_title(lead.question) : study.empty() ? "Answers" : study;
  const OwnedFinding* answer = first_answer(lead.result);
  const std::string asked =
      one ? fmt::format("{} Measured on {}.", lead.question.text, profiles_text(page.questions))
          : fmt::format("{} questions were answered from {}.", page.questions.size(), profiles_text(page.questions));
  std::string said =
      answer == nullptr ? "No analyzer gave an answer; “Profiles” below says what was left out." : answer->title;
  if (!one && answer != nullptr) said = question_title(lead.question) + ": " + said;
  const std::string number = first_number(lead.result);
  const std::string sure = certainty_sentence(lead, page.questions);
  std::string out = fmt::format(
      "<section id=\"answers\" class=\"first\" aria-labelledby=\"answers-title\"><h1 id=\"answers-title\">{}</h1>\n<dl "
      "class=\"abstract\"><dt>Asked</dt><dd>{}</dd>\n<dt>Found</dt><dd class=\"found-out\">{}{}</dd>\n{}</dl>\n",
      html(title), html(asked), one && !number.empty() ? "<strong class=\"number\">" + html(number) + "</strong> " : "",
      words.in_html(html(said)), sure.empty() ? "" : "<dt>Certainty</dt><dd>" + html(sure) + "</dd>\n");
  const OwnedPlot* plot = answer_parts(lead.result).plot;
  out += fmt::format("<div class=\"glance\"><div>{}</div>\n{}</div>\n",
                     one ? words.in_html(claim_list(lead)) : question_list(page.questions),
                     plot == nullptr ? "" : small_figure(lead, *plot));
  return out + "</section>\n";
}

}  // namespace assay
