#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "render/answer_parts.hpp"
#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/glossary.hpp"
#include "render/left_out.hpp"
#include "render/markdown.hpp"
#include "render/markdown_parts.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "render/strata.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMostNames = 12;
constexpr std::size_t kMostAlike = 4;

/// One question's part of report.md.
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
    fold("Issues of the reports", [&] { issues(); });
    tables();
    return std::move(text_);
  }

 private:
  void paragraph(std::string_view text) {
    if (!text.empty()) text_ += markdown(text) + "\n\n";
  }
  /// What `write` writes, which then does not stand in the report.
  template <class Write>
  std::string written_by(const Write& write) {
    std::string own = std::exchange(text_, {});
    write();
    own.swap(text_);
    return own;
  }
  /// Writes what people read: titles in the place of ids.
  template <class Write>
  void in_words(const Write& write) {
    text_ += words_.in_text(written_by(write));
  }
  /// What `write` writes is closed until it is wanted.
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
    if (finding.effect) {
      text_ += "  " + markdown(effect_name(*finding.effect)) + ": " + markdown(with_interval(*finding.effect)) + "; " +
               markdown(effect_basis(*finding.effect));
      if (!finding.effect->method.empty()) text_ += "; " + markdown(finding.effect->method);
      text_ += ".\n";
    }
    if (!finding.text.empty()) text_ += "  " + markdown(finding.text) + "\n";
  }

  void answer() {
    section("Answer");
    std::string basis;
    bool any = false;
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.role != FindingRole::kAnswer) continue;
      text_ += "- **" + markdown(finding.title) + "**\n";
      any = true;
      basis += written_by([&] { finding_item(finding); });
    }
    if (!any) text_ += "No analyzer gave an answer; what was left out says why.\n";
    text_ += "\n" + markdown_answer_parts(run_, parts_);
    if (!basis.empty()) text_ += folded("How this was found", basis + "\n");
  }

  void claims() {
    if (result_.claims.empty()) return;
    section("Claims");
    std::vector<Verdict> verdicts;
    for (const OwnedClaim& claim : result_.claims) verdicts.push_back(claim.verdict);
    text_ +=
        counted(result_.claims.size(), "claim") + ": " + verdict_counts(verdicts) + ".\n\n" + markdown_claims(result_);
    if (const std::string sources = sources_line(question_); !sources.empty()) paragraph("Sources: " + sources + ".");
    for (const OwnedClaim& claim : result_.claims)
      fold(claim.id + ": " + std::string(verdict_name(claim.verdict)), [&] { details(claim); });
  }

  /// Why a claim got its verdict, stratum by stratum.
  void details(const OwnedClaim& claim) {
    paragraph(claim.text);
    paragraph(claim.reason);
    if (claim.strata.empty()) return;
    const StrataText words = strata_text(claim.strata);
    if (!words.common.empty()) paragraph("In all strata: " + words.common + ".");
    if (words.basis && !words.basis->empty()) paragraph("Intervals: " + *words.basis + ".");
    if (words.reason && !words.reason->empty()) paragraph("Why, in all strata: " + *words.reason + ".");
    text_ += strata_table(claim.strata, words) + "\n";
    if (claim.strata.size() > kMostMarkdownRows) {
      text_ += "The first " + std::to_string(kMostMarkdownRows) + " of " + std::to_string(claim.strata.size()) +
               " strata; all of them stand in `results.sqlite`, table `strata`.\n\n";
    }
  }

  /// What `words` already says has no column.
  static std::string strata_table(const std::vector<OwnedStratum>& strata, const StrataText& words) {
    std::vector<MarkdownTable::Column> columns = {
        {"stratum"}, {"verdict"}, {words.effect.empty() ? "effect" : words.effect, true}, {"n", true}};
    if (!words.basis) columns.push_back({"interval"});
    if (!words.reason) columns.push_back({"why"});
    MarkdownTable table(columns);
    for (std::size_t i = 0; i < std::min(strata.size(), kMostMarkdownRows); ++i) {
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
    if (result_.plots.size() > (parts_.plot == nullptr ? 0U : 1U)) section("Further plots");
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
             counted(static_cast<std::size_t>(std::count_if(result_.findings.begin(), result_.findings.end(), is_note)),
                     "note"),
         [&] {
           for (const OwnedFinding& finding : result_.findings) {
             if (is_note(finding)) finding_item(finding);
           }
           if (!text_.empty()) text_ += "\n";
         });
  }

  /// A few findings as items, many of one kind as a table.
  void evidence(const EvidenceGroup& group) {
    if (group.findings.size() <= kMostAlike) {
      for (const OwnedFinding* finding : group.findings) finding_item(*finding);
      return;
    }
    text_ += "\n**" + markdown(group.effect.empty() ? group.findings.front()->analyzer : group.effect) + "**\n\n";
    if (!group.common.empty()) paragraph("In all of them: " + group.common + ".");
    const bool words = group.effect.empty();
    MarkdownTable table(words ? std::vector<MarkdownTable::Column>{{"finding"}, {"in words"}}
                              : std::vector<MarkdownTable::Column>{
                                    {"finding"}, {group.effect, true}, {"n", true}, {"interval"}, {"in words"}});
    for (std::size_t i = 0; i < std::min(group.findings.size(), kMostMarkdownRows); ++i) {
      const OwnedFinding& f = *group.findings[i];
      if (words)
        table.row({f.title, f.text});
      else
        table.row({f.title, with_interval(*f.effect), std::to_string(f.effect->n), basis_of(*f.effect), f.text});
    }
    text_ += table.text();
    if (group.findings.size() > kMostMarkdownRows) {
      text_ += "\nThe first " + std::to_string(kMostMarkdownRows) + " of " + std::to_string(group.findings.size()) +
               "; all of them stand in `results.sqlite`, table `findings`.\n";
    }
    text_ += "\n";
  }

  void names(std::string_view what, const std::vector<std::string>& list) {
    if (!list.empty()) text_ += "- " + std::string(what) + ": " + markdown(some_of(list, kMostNames)) + "\n";
  }

  void reports() {
    const Completeness& c = result_.completeness;
    const ReportCounts counts = reports_of(run_);
    section("Reports");
    text_ += "- " + completeness_line(c, counts.question) + "\n";
    if (const std::string made = made_with_line(run_); !made.empty()) text_ += "- " + markdown(made) + "\n";
    if (counts.noise > 0)
      text_ += "- " + counted(counts.noise, "further report") + " used only to know how much equal runs differ\n";
    std::vector<std::string> missing;
    for (const MatrixCell& cell : c.missing) missing.push_back(cell.with_reason());
    names("missing", missing);
    names("unexpected", c.unexpected);
    names("duplicate, left out", c.duplicate);
    names("unreadable", c.unreadable);
    names("without needed tables", c.lacking);
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
    text_ +=
        table.text() + "\nEvery issue stands in `findings.json` and in the table `issues` of `results.sqlite`.\n\n";
  }

  void tables() {
    for (const OwnedTable& table : result_.tables) {
      if (&table == parts_.table) continue;
      const std::string title = table.title.empty() ? table.id : table.title;
      text_ += folded("Table: " + title + ", " + counted(table.rows(), "row"), markdown_table(table));
    }
  }

  const QuestionRun& run_;
  const Question& question_;
  const QuestionResult& result_;
  MetricWords words_;
  AnswerParts parts_;
  std::string text_;
};

/// Definitions of the metrics that effects and evidence of all questions are made of.
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

/// Where one file answers several questions: the answers of each, then the verdicts on all claims in one table.
std::string overview(const std::vector<QuestionRun>& runs) {
  std::string text = "# Answers\n\n";
  MarkdownTable claims({{"question"}, {"verdict"}, {"what is claimed"}, {"claimed"}, {"measured"}});
  std::vector<Verdict> verdicts;
  for (const QuestionRun& run : runs) {
    const Question& question = run.question;
    const QuestionResult& result = run.result;
    const MetricWords words(result.metrics);
    const std::string title = question.title.empty() ? question.id : question.title;
    text += "**" + markdown(title) + "**: " + markdown(question.text) + "\n\n";
    bool any = false;
    for (const OwnedFinding& finding : result.findings) {
      if (finding.role != FindingRole::kAnswer) continue;
      text += "- " + markdown(words.in_text(finding.title)) + "\n";
      any = true;
    }
    if (!any) text += "- no analyzer gave an answer; what was left out says why\n";
    text += "\n" + markdown(completeness_line(result.completeness, reports_of(run).question)) + "\n\n";
    for (const OwnedClaim& claim : result.claims) {
      verdicts.push_back(claim.verdict);
      claims.row({title, std::string(verdict_name(claim.verdict)),
                  claim.text + (claim.source.empty() ? "" : " [" + claim.source + "]"), claimed_text(claim),
                  measured_text(claim)});
    }
  }
  if (verdicts.empty()) return text;
  return text + "## All claims\n\n" + counted(verdicts.size(), "claim") + ": " + verdict_counts(verdicts) + ".\n\n" +
         claims.text() + "\n";
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
         "All facts stand in `facts.csv`, everything in this report also in `findings.json` and `results.sqlite`.\n";
}

}  // namespace assay
