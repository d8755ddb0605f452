#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "algo/page_sections.hpp"
#include "render/answer_parts.hpp"
#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/glossary.hpp"
#include "render/left_out.hpp"
#include "render/markdown_parts.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "render/strata.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxListed = 12;
constexpr std::size_t kMaxInFull = 4;
constexpr std::size_t kMaxRows = 6;

/// Part of report.md on one question.
class QuestionReport {
 public:
  explicit QuestionReport(const QuestionRun& run)
      : run_(run),
        question_(run.question),
        result_(run.result),
        words_(run.result.metrics),
        parts_(answer_parts(run.result)) {}

  std::string write() {
    text_ = "# " + markdown(question_.title.empty() ? question_.id : question_.title) + "\n\n";
    paragraph(question_.text);
    paragraph(question_.note);
    paragraph(provenance_line(run_));
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.analyzer.empty()) finding_item(finding);
    }
    if (!result_.findings.empty() && result_.findings.front().analyzer.empty()) text_ += "\n";
    in_words([&] {
      answer();
      claims();
    });
    plots();
    in_words([&] { findings(); });
    reports();
    fold("Left out, and why", [&] { left_out(); });
    fold("Issues of the profiles", [&] { issues(); });
    tables();
    return std::move(text_);
  }

 private:
  void paragraph(std::string_view text) {
    if (!text.empty()) text_ += markdown(text) + "\n\n";
  }
  /// Returns the output of `write` instead of appending it.
  template <class Write>
  std::string written_by(const Write& write) {
    std::string own = std::exchange(text_, {});
    write();
    own.swap(text_);
    return own;
  }
  /// Writes text for people: titles instead of ids.
  template <class Write>
  void in_words(const Write& write) {
    text_ += words_.in_text(written_by(write));
  }
  /// Folds the output of `write`.
  template <class Write>
  void fold(std::string_view title, const Write& write) {
    const std::string content = written_by(write);
    if (!content.empty()) text_ += folded(title, content);
  }
  void section(std::string_view title) { text_.append("## ").append(title).append("\n\n"); }

  void finding_item(const OwnedFinding& finding) {
    text_ += "- **" + markdown(finding.title) + "**";
    if (!finding.labels.empty()) text_ += " (" + markdown(label_list(finding.labels)) + ")";
    text_ += "\n";
    finding_basis(finding, "  ");
  }

  void finding_basis(const OwnedFinding& finding, const std::string& indent) {
    if (finding.effect) {
      text_ += fmt::format("{}{}: {}; {}", indent, markdown(effect_name(*finding.effect)),
                           markdown(with_interval(*finding.effect)), markdown(effect_basis(*finding.effect)));
      if (!finding.effect->method.empty()) text_ += "; " + markdown(finding.effect->method);
      text_ += ".\n";
    }
    if (!finding.text.empty()) text_ += indent + markdown(finding.text) + "\n";
  }

  void answer() {
    section("Answer");
    std::string basis;
    bool any = false;
    const bool one = 1 == std::ranges::count_if(result_.findings,
                                                [](const OwnedFinding& f) { return f.role == FindingRole::kAnswer; });
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.role != FindingRole::kAnswer) continue;
      text_ += "- **" + markdown(finding.title) + "**\n";
      any = true;
      // For a single answer the headline is not repeated.
      basis += written_by([&] {
        if (!one) return finding_item(finding);
        if (!finding.labels.empty()) text_ += "With " + markdown(label_list(finding.labels)) + ":\n";
        finding_basis(finding, "");
      });
    }
    if (!any) text_ += "No analyzer gave an answer; the section on what was left out says why.\n";
    text_ += "\n" + markdown_answer_parts(run_, parts_);
    if (!basis.empty()) text_ += folded("Evidence", basis + "\n");
    if (parts_.plot != nullptr) fold("Samples", [&] { text_ += markdown_samples(run_, *parts_.plot); });
  }

  void claims() {
    if (result_.claims.empty()) return;
    section("Claims");
    std::vector<Verdict> verdicts;
    for (const OwnedClaim& claim : result_.claims) verdicts.push_back(claim.verdict);
    text_ += fmt::format("{}: {}.\n\n{}", counted(result_.claims.size(), "claim"), verdict_counts(verdicts),
                         markdown_claims(result_));
    if (const std::string sources = sources_line(question_); !sources.empty()) paragraph("Sources: " + sources + ".");
    for (const OwnedClaim& claim : result_.claims)
      fold(std::string(verdict_name(claim.verdict)) + ": " + claim.text, [&] { details(claim); });
  }

  /// Why a claim got its verdict, per stratum.
  void details(const OwnedClaim& claim) {
    paragraph(verdict_reason(claim));
    if (claim.strata.empty()) return;
    const StrataText words = strata_text(claim.strata);
    if (!words.common.empty()) paragraph("Everywhere: " + words.common + ".");
    if (words.basis && !words.basis->empty()) paragraph("Intervals: " + *words.basis + ".");
    if (claim.strata.size() > 1 && words.reason && !words.reason->empty())
      paragraph("Why, everywhere: " + *words.reason + ".");
    if (claim.strata.size() <= kMaxRows) {
      text_ += strata_table(claim.strata, words) + "\n";
      return;
    }
    for (const VerdictRange& range : verdict_ranges(claim.strata)) {
      text_ +=
          fmt::format("- {} in {} of {}", std::string(verdict_name(range.verdict)), range.count, counted_strata(claim));
      text_ += (range.values.empty() ? "" : ": " + range.values) + "\n";
    }
    text_ += "\n";
  }

  /// Has no column for what `words` already contains.
  static std::string strata_table(const std::vector<OwnedStratum>& strata, const StrataText& words) {
    std::vector<MarkdownTable::Column> columns = {
        {"setting"}, {"verdict"}, {words.effect.empty() ? "effect" : words.effect, true}, {"n", true}};
    if (!words.basis) columns.push_back({"interval"});
    if (!words.reason) columns.push_back({"why"});
    MarkdownTable table(columns);
    for (std::size_t i = 0; i < strata.size(); ++i) {
      const OwnedStratum& s = strata[i];
      const std::string name = s.effect && words.effect.empty() ? effect_name(*s.effect) + " " : "";
      std::vector<std::string> cells = {words.labels[i], std::string(verdict_name(s.verdict)),
                                        s.effect ? name + with_interval(*s.effect) : "",
                                        s.effect ? std::to_string(s.effect->n) : ""};
      if (!words.basis) cells.push_back(s.effect ? basis_of(*s.effect) : "");
      if (!words.reason) cells.push_back(s.reason);
      table.row(cells);
    }
    return table.text();
  }

  void plots() {
    if (result_.plots.size() > (parts_.plot == nullptr ? 0U : 1U)) section("More plots");
    for (const OwnedPlot& plot : result_.plots) {
      if (&plot != parts_.plot) text_ += markdown_plot(question_.id, plot, true);
    }
  }

  void findings() {
    const std::vector<EvidenceGroup> groups = evidence_groups(result_.findings);
    std::size_t all = 0;
    for (const EvidenceGroup& group : groups) all += group.findings.size();
    fold("Evidence: " + counted(all, "finding"), [&] {
      for (const EvidenceGroup& group : groups) evidence(group);
      if (!groups.empty()) text_ += "\n";
    });
    const auto is_note = [](const OwnedFinding& finding) {
      return finding.role == FindingRole::kNote && !finding.analyzer.empty();
    };
    fold("What to know about the data: " +
             counted(static_cast<std::size_t>(std::ranges::count_if(result_.findings, is_note)), "note"),
         [&] {
           for (const OwnedFinding& finding : result_.findings) {
             if (is_note(finding)) finding_item(finding);
           }
           if (!text_.empty()) text_ += "\n";
         });
  }

  /// A few findings as items; many of one kind as their range.
  void evidence(const EvidenceGroup& group) {
    if (group.findings.size() <= kMaxInFull) {
      for (const OwnedFinding* finding : group.findings) finding_item(*finding);
      return;
    }
    text_ +=
        fmt::format("- **{}** in {}",
                    markdown(group.effect.empty() ? group.findings.front()->title + ", and similar" : group.effect),
                    counted(group.findings.size(), "case"));
    if (!group.common.empty()) text_ += " (" + markdown(group.common) + ")";
    if (!group.values.empty()) text_ += ": " + markdown(group.values);
    text_ += "\n";
  }

  void names(std::string_view what, const std::vector<std::string>& list) {
    if (!list.empty()) text_ += fmt::format("- {}: {}\n", std::string(what), markdown(some_of(list, kMaxListed)));
  }

  void reports() {
    const Completeness& c = result_.completeness;
    const ReportCounts counts = reports_of(run_);
    section("Reports");
    text_ += "- " + completeness_line(c, counts.question, result_.skips) + "\n";
    if (counts.noise > 0)
      text_ += "- " + counted(counts.noise, "more profile") + " of repeat runs, used only for the noise floor\n";
    for (const auto& [what, list] : gaps_of(c)) names(what, list);
    text_ += "\n";
  }

  void left_out() {
    const std::vector<SkipGroup> groups = skip_groups(result_.skips);
    if (groups.empty()) return;
    MarkdownTable table({{"by"}, {"why"}, {"reports", true}, {"which"}});
    for (const SkipGroup& group : groups) {
      table.row({group.analyzer.empty() ? "assay" : group.analyzer, (group.failed ? "failed: " : "") + group.reason,
                 group.reports.empty() ? "" : std::to_string(group.reports.size()), some_of(group.reports, 3)});
    }
    text_ += table.text() + "\n";
  }

  void issues() {
    const std::vector<IssueGroup> groups = issue_groups(issue_rows(run_));
    if (groups.empty()) return;
    MarkdownTable table({{"severity"}, {"issue"}, {"reports", true}, {"rows", true}, {"example"}});
    for (const IssueGroup& group : groups) {
      table.row({std::string(severity_name(group.severity)), group.name, std::to_string(group.reports),
                 group.count == 0 ? "" : std::to_string(group.count), group.example});
    }
    text_ += table.text() + "\nAll issues are in `findings.json` and in the table `issues` of `results.sqlite`.\n\n";
  }

  /// Names only: tables are read where they can be sorted and joined.
  void tables() {
    MarkdownTable list({{"table"}, {"name"}, {"rows", true}});
    std::size_t count = 0;
    for (const OwnedTable& table : result_.tables) {
      if (&table == parts_.table || table.id == page::kLayoutTable) continue;
      list.row({table.title.empty() ? table.id : table.title, table.id, std::to_string(table.rows())});
      ++count;
    }
    if (count > 0)
      text_ += folded(counted(count, "table") + " in report.html and in results.sqlite", list.text() + "\n");
  }

  const QuestionRun& run_;
  const Question& question_;
  const QuestionResult& result_;
  MetricWords words_;
  AnswerParts parts_;
  std::string text_;
};

/// Definitions of the metrics in effects and evidence of all questions.
std::string metrics_used(const std::vector<QuestionRun>& runs) {
  std::set<std::string> used;
  std::map<std::string, const OwnedMetric*> metrics;
  const auto use = [&](const std::optional<OwnedEffect>& effect, const std::vector<EvidenceRow>& evidence) {
    if (effect) used.insert(effect->metric);
    for (const EvidenceRow& row : evidence) used.insert(row.metric);
  };
  for (const QuestionRun& run : runs) {
    for (const OwnedFinding& finding : run.result.findings) use(finding.effect, finding.evidence);
    for (const OwnedClaim& claim : run.result.claims) {
      for (const OwnedStratum& stratum : claim.strata) use(stratum.effect, stratum.evidence);
    }
    for (const OwnedMetric& metric : run.result.metrics) metrics.emplace(metric.id, &metric);
  }
  MarkdownTable table({{"metric"}, {"id"}, {"unit"}, {"definition"}, {"from"}});
  bool any = false;
  for (const auto& [id, metric] : metrics) {
    if (!used.contains(id)) continue;
    any = true;
    table.row({metric->title, id, metric->unit, metric->definition, metric->analyzer});
  }
  return any ? folded("Metrics used", table.text() + "\n") : "";
}

/// For a file with several questions: their answers, and how their claims were judged.
std::string overview(const std::vector<QuestionRun>& runs) {
  std::string text = "# Answers\n\n";
  for (const QuestionRun& run : runs) {
    const Question& question = run.question;
    const QuestionResult& result = run.result;
    const MetricWords words(result.metrics);
    const std::string title = question.title.empty() ? question.id : question.title;
    text += fmt::format("**{}**: {}\n\n", markdown(title), markdown(question.text));
    bool any = false;
    for (const OwnedFinding& finding : result.findings) {
      if (finding.role != FindingRole::kAnswer) continue;
      text += "- " + markdown(words.in_text(finding.title)) + "\n";
      any = true;
    }
    if (!any) text += "- no analyzer gave an answer; the section on what was left out says why\n";
    std::vector<Verdict> verdicts;
    for (const OwnedClaim& claim : result.claims) verdicts.push_back(claim.verdict);
    const std::string judged =
        verdicts.empty() ? "" : fmt::format("; {}: {}", counted(verdicts.size(), "claim"), verdict_counts(verdicts));
    text += "\n" + markdown(completeness_line(result.completeness, reports_of(run).question, result.skips) + judged) +
            "\n\n";
  }
  return text;
}

}  // namespace

std::string report_md(const RunResult& run) {
  const std::vector<QuestionRun> runs = run.each_question();
  std::string text = runs.size() > 1 ? overview(runs) : "";
  for (const QuestionRun& question : runs) text += QuestionReport(question).write();
  text += metrics_used(runs);
  MarkdownTable words({{"word"}, {"what it means"}});
  for (const GlossaryTerm& term : glossary()) words.row({std::string(term.word), std::string(term.definition)});
  text += folded("Words", words.text() + "\n");
  return text +=
         "Every finding, stratum and issue with its numbers is in `report.html`, `findings.json` and `results.sqlite`, "
         "every fact in `facts.csv`.\n";
}

}  // namespace assay
