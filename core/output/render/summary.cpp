#include "render/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/ranking.hpp"
#include "render/strata.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMinWidth = 72;
constexpr std::size_t kVerdictWidth = 12;  // "inconclusive"
constexpr std::size_t kMaxEvidence = 16;   // groups
constexpr std::size_t kMaxAnswers = 6;     // per question, if there are several
constexpr std::size_t kMaxAlike = 4;
constexpr std::size_t kMaxStrata = 8;
constexpr std::size_t kMaxLeftOut = 8;
constexpr std::size_t kMaxNames = 3;

/// Prints one question to the terminal.
class QuestionSummary {
 public:
  QuestionSummary(const SummaryInput& question, std::ostream& to, const TerminalStyle& style)
      : question_(question),
        result_(*question.result),
        words_(question.result->metrics),
        to_(to),
        style_(style),
        width_(std::max(style.width, kMinWidth)) {}

  /// Answers, verdicts and completeness, in a line or two each.
  void print_brief() {
    to_ << coloured("1", one_line(question_.title.empty() ? question_.id : question_.title)) << "\n";
    text(question_.text, 2, 2);
    brief_answer();
    caveats(2);
    if (!result_.claims.empty()) to_ << "\n";
    for (const OwnedClaim& claim : result_.claims) {
      const std::size_t indent = 2 + kVerdictWidth + 2;
      to_ << "  " << verdict(claim.verdict) << "  ";
      hanging(claim.text, indent);
      reason(claim, rankings_of(claim, result_.metrics), indent);
    }
    to_ << "\n";
    text(completeness_line(result_.completeness, question_.reports.question, result_.skips), 2, 2);
    to_ << "\n";
  }

  void print() {
    to_ << coloured("1", one_line(question_.title.empty() ? question_.id : question_.title)) << "\n";
    text(question_.text, 2, 2);
    answer();
    caveats(4);
    claims();
    evidence();
    notes();
    reports();
    left_out();
    to_ << "\n";
  }

 private:
  [[nodiscard]] std::string coloured(std::string_view code, const std::string& words) const {
    return style_.colour ? fmt::format("\x1b[{}m{}\x1b[0m", std::string(code), words) : words;
  }
  [[nodiscard]] std::string verdict(Verdict v) const {
    constexpr std::string_view codes[] = {"32", "31", "33", "90"};
    return coloured(codes[static_cast<std::size_t>(v)], padded(verdict_name(v), kVerdictWidth));
  }
  void heading(const std::string& title, const std::string& rest = {}) {
    to_ << "\n  " << coloured("1", title) << (rest.empty() ? "" : "  " + rest) << "\n";
  }
  /// Wrapped; the first line indented by `first`, the others by `next`.
  void text(std::string_view words, std::size_t first, std::size_t next) {
    std::size_t indent = first;
    for (const std::string& line : wrapped(one_line(words_.in_text(words)), width_ - std::max(first, next))) {
      to_ << std::string(indent, ' ') << line << "\n";
      indent = next;
    }
  }

  /// Wrapped after what is already on the line.
  void hanging(std::string_view words, std::size_t indent) {
    bool first = true;
    for (const std::string& line : wrapped(one_line(words_.in_text(words)), width_ - indent)) {
      to_ << (first ? "" : std::string(indent, ' ')) << line << "\n";
      first = false;
    }
  }

  /// Caveats of the host on the profiles in one line after the answer; report.md has them in full.
  void caveats(std::size_t indent) {
    std::vector<std::string> titles;
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.analyzer.empty() && finding.role == FindingRole::kNote)
        titles.push_back(one_line(words_.in_text(finding.title)));
    }
    if (titles.empty()) return;
    // As many as fit on three lines.
    const std::size_t most = 3 * (width_ - indent);
    const std::string head = counted(titles.size(), "caveat") + ", in full in report.md: ";
    std::size_t shown = titles.size();
    while (shown > 1 && display_width(head + some_of(titles, shown)) > most) --shown;
    to_ << std::string(indent, ' ');
    hanging(shortened(head + some_of(titles, shown), most), indent);
  }

  void brief_answer() {
    std::size_t shown = 0, more = 0;
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.role != FindingRole::kAnswer) continue;
      if (shown == kMaxAnswers) {
        ++more;
        continue;
      }
      ++shown;
      to_ << "  - ";
      hanging(finding.title, 4);
    }
    if (more > 0) to_ << "    and " << counted(more, "more answer") << " in report.md\n";
    if (shown == 0) to_ << "  no analyzer could answer; report.md says what was left out\n";
  }

  void answer() {
    heading("ANSWER");
    bool any = false;
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.role != FindingRole::kAnswer) continue;
      any = true;
      for (const std::string& line : wrapped(one_line(words_.in_text(finding.title)), width_ - 4))
        to_ << "    " << coloured("1", line) << "\n";
      if (finding.effect) text(effect_sentence(*finding.effect), 6, 6);
      text(finding.text, 6, 6);
    }
    if (!any) to_ << "    none: no analyzer could answer; see what was left out\n";
  }

  static std::string effect_sentence(const OwnedEffect& effect) {
    return fmt::format("{} {}; {}", effect_name(effect), with_interval(effect), effect_basis(effect));
  }

  void claims() {
    if (result_.claims.empty()) return;
    std::vector<Verdict> verdicts;
    for (const OwnedClaim& claim : result_.claims) verdicts.push_back(claim.verdict);
    heading("CLAIMS", verdict_counts(verdicts));
    for (const OwnedClaim& claim : result_.claims) {
      to_ << "    " << verdict(claim.verdict) << "  " << one_line(claim.id) << "\n";
      const std::size_t indent = 4 + kVerdictWidth + 2;
      text(claim.text + (claim.source.empty() ? "" : " [" + claim.source + "]"), indent, indent);
      const std::vector<Ranking> rankings = rankings_of(claim, result_.metrics);
      reason(claim, rankings, indent);
      if (rankings.empty()) strata(claim, indent);
      for (const Ranking& ranking : rankings) ranked(ranking, indent);
    }
  }

  void reason(const OwnedClaim& claim, const std::vector<Ranking>& rankings, std::size_t indent) {
    text(rankings.size() == 1 ? rankings.front().sentence("") : verdict_reason(claim), indent, indent);
  }

  void ranked(const Ranking& ranking, std::size_t indent) {
    if (!ranking.labels.empty()) text(label_list(ranking.labels) + ":", indent, indent);
    const std::string& metric = ranking.rows.front().stratum->evidence.front().metric;
    const RankingTable rows = table_of(ranking, words_.in_text(metric));
    TextTable table(rows.columns);
    for (const std::vector<std::string>& row : rows.rows) table.row(row);
    table.print(to_, indent);
  }

  void strata(const OwnedClaim& claim, std::size_t indent) {
    if (claim.strata.empty()) return;
    const StrataText words = strata_text(claim.strata);
    const std::string what = words.effect + (words.common.empty() ? "" : " (" + words.common + ")");
    if (!words.effect.empty()) text(what + ":", indent, indent);
    if (claim.strata.size() > kMaxStrata) return strata_by_verdict(claim, indent);
    std::size_t label_width = 0, effect_width = 0;
    for (std::size_t i = 0; i < claim.strata.size(); ++i) {
      label_width = std::max(label_width, display_width(one_line(words.labels[i])));
      if (claim.strata[i].effect)
        effect_width = std::max(effect_width, display_width(one_line(with_interval(*claim.strata[i].effect))));
    }
    constexpr std::size_t kLeastLabel = 16, kBetween = 12;
    const std::size_t others = std::min(indent + kVerdictWidth + effect_width + kBetween, width_ - kLeastLabel);
    label_width = std::min(label_width, width_ - others);
    for (std::size_t i = 0; i < claim.strata.size(); ++i) {
      const OwnedStratum& s = claim.strata[i];
      to_ << std::string(indent, ' ') << verdict(s.verdict) << "  "
          << padded(shortened(one_line(words.labels[i]), label_width), label_width) << "  ";
      if (s.effect) {
        to_ << padded(one_line(with_interval(*s.effect)), effect_width) << "  n=" << s.effect->n;
        if (words.effect.empty()) to_ << "  " << one_line(words_.in_text(effect_name(*s.effect)));
      } else {
        const std::size_t used = indent + kVerdictWidth + label_width + 4;
        to_ << shortened(one_line(words_.in_text(s.reason)), width_ - std::min(width_ - 20, used));
      }
      to_ << "\n";
    }
  }

  void strata_by_verdict(const OwnedClaim& claim, std::size_t indent) {
    for (const VerdictRange& range : verdict_ranges(claim.strata)) {
      to_ << std::string(indent, ' ') << verdict(range.verdict) << "  " << range.count << " of "
          << counted_strata(claim);
      if (!range.values.empty()) to_ << ", values " << one_line(range.values);
      to_ << "\n";
    }
    to_ << std::string(indent, ' ') << "each with its interval in report.md\n";
  }

  void evidence() {
    const std::vector<EvidenceGroup> groups = evidence_groups(result_.findings);
    if (groups.empty()) return;
    heading("EVIDENCE");
    const std::size_t shown = groups.size() <= kMaxEvidence + 1 ? groups.size() : kMaxEvidence;
    for (std::size_t i = 0; i < shown; ++i) {
      const EvidenceGroup& group = groups[i];
      if (group.findings.size() > kMaxAlike) {
        const bool words = group.effect.empty();
        text((words ? group.findings.front()->title + " and similar" : group.effect) +
                 (group.common.empty() ? "" : " (" + group.common + ")"),
             4, 6);
        text(counted(group.findings.size(), "finding") +
                 (words ? "; each in report.md" : ", values " + group.values + "; each with its interval in report.md"),
             6, 6);
        continue;
      }
      for (const OwnedFinding* finding : group.findings) {
        text(finding->title, 4, 6);
        if (finding->effect) text(effect_sentence(*finding->effect), 6, 6);
        if (!finding->effect) text(finding->text, 6, 6);
      }
    }
    if (shown < groups.size()) to_ << "    and more in report.md\n";
  }

  void notes() {
    bool first = true;
    for (const OwnedFinding& finding : result_.findings) {
      if (finding.role != FindingRole::kNote) continue;
      if (first) heading("NOTES");
      first = false;
      text(finding.title, 4, 6);
      text(finding.text, 6, 6);
    }
  }

  void names(const char* what, const std::vector<std::string>& list) {
    if (!list.empty()) text(std::string(what) + ": " + some_of(list, kMaxNames), 4, 6);
  }

  void reports() {
    const Completeness& c = result_.completeness;
    const ReportCounts& counts = question_.reports;
    heading("REPORTS");
    text(completeness_line(c, counts.question, result_.skips), 4, 6);
    text(question_.made_with, 4, 6);
    if (counts.noise > 0)
      to_ << "    " << counted(counts.noise, "more profile") << " of repeat runs, used only for the noise floor\n";
    for (const auto& [what, list] : gaps_of(c)) names(what, list);
    for (const IssueGroup& group : issue_groups(question_.issues)) {
      if (group.severity == Severity::kInfo) continue;
      const std::string where = group.reports < 2 ? "" : " in " + counted(group.reports, "profile") + ", e.g.";
      text(fmt::format("{} {}{}: {}", std::string(severity_name(group.severity)), group.name, where, group.example), 4,
           6);
    }
  }

  void left_out() {
    const std::vector<SkipGroup> groups = skip_groups(result_.skips);
    if (groups.empty()) return;
    heading("LEFT OUT");
    const std::size_t shown = groups.size() <= kMaxLeftOut + 1 ? groups.size() : kMaxLeftOut;
    for (std::size_t i = 0; i < shown; ++i) {
      const SkipGroup& group = groups[i];
      std::string line =
          (group.analyzer.empty() ? "assay" : group.analyzer) + (group.failed ? " failed: " : ": ") + group.reason;
      if (!group.reports.empty()) line += " (" + some_of(group.reports, 1) + ")";
      text(line, 4, 6);
    }
    if (shown < groups.size()) to_ << "    and " << counted(groups.size() - shown, "more reason") << " in report.md\n";
  }

  const SummaryInput& question_;
  const QuestionResult& result_;
  MetricWords words_;
  std::ostream& to_;
  const TerminalStyle& style_;
  std::size_t width_;
};

/// "9 of 42 claims hold, 11 do not, 22 are not settled (8 questions)", then a table of the questions: verdicts and
/// first answer.
void print_overview(std::span<const SummaryInput> questions, std::ostream& to, const TerminalStyle& style) {
  TextTable table({{"question"}, {"holds", true}, {"not", true}, {"open", true}, {"answer"}});
  std::size_t all = 0, holds = 0, refuted = 0;
  for (const SummaryInput& input : questions) {
    const auto with = [&](Verdict verdict) {
      return std::ranges::count(input.result->claims, verdict, &OwnedClaim::verdict);
    };
    const auto claims = std::ssize(input.result->claims), yes = with(Verdict::kSupported), no = with(Verdict::kRefuted);
    all += static_cast<std::size_t>(claims);
    holds += static_cast<std::size_t>(yes);
    refuted += static_cast<std::size_t>(no);
    const auto answer = std::ranges::find(input.result->findings, FindingRole::kAnswer, &OwnedFinding::role);
    const auto count = [&](std::ptrdiff_t n) { return claims == 0 ? std::string() : n == 0 ? "-" : std::to_string(n); };
    table.row(
        {input.title.empty() ? input.id : input.title, count(yes), count(no), count(claims - yes - no),
         answer == input.result->findings.end() ? "none" : MetricWords(input.result->metrics).in_text(answer->title)});
  }
  const std::string finding =
      all == 0
          ? counted(questions.size(), "question")
          : fmt::format("{} of {} {}, {} {} not, {} {} not settled ({})", holds, counted(all, "claim"),
                        holds == 1 ? "holds" : "hold", refuted, refuted == 1 ? "does" : "do", all - holds - refuted,
                        all - holds - refuted == 1 ? "is" : "are", counted(questions.size(), "question"));
  to << (style.colour ? "\x1b[1m" : "") << finding << (style.colour ? "\x1b[0m" : "") << "\n\n";
  table.print(to, 2, std::max(style.width, kMinWidth));
  to << "\n";
}

/// Prints failed analyzers last, so that a reader of the end notices that something is missing above.
void print_failures(std::span<const SummaryInput> questions, std::ostream& to, const TerminalStyle& style) {
  std::set<std::string> said;  // questions may share the work that failed
  for (const SummaryInput& question : questions) {
    for (const SkipGroup& group : skip_groups(question.result->skips)) {
      if (!group.failed || group.analyzer.empty()) continue;
      const std::string where = group.reports.empty() ? "question " + question.id : some_of(group.reports, kMaxNames);
      const std::string words = fmt::format("the analyzer '{}' failed on {}: {}", group.analyzer, where, group.reason);
      if (!said.insert(words).second) continue;
      const std::string mark = style.colour ? "\x1b[31mFAILED\x1b[0m  " : "FAILED  ";
      bool first = true;
      for (const std::string& line : wrapped(one_line(words), std::max(style.width, kMinWidth) - 8)) {
        to << (first ? mark : std::string(8, ' ')) << line << "\n";
        first = false;
      }
    }
  }
  if (!said.empty()) to << "\n";
}

}  // namespace

void print_summary(std::span<const SummaryInput> questions, std::ostream& to, const TerminalStyle& style) {
  const bool whole = style.whole || questions.size() == 1;
  if (questions.size() > 1) print_overview(questions, to, style);
  for (const SummaryInput& input : questions) {
    QuestionSummary question(input, to, style);
    whole ? question.print() : question.print_brief();
  }
  print_failures(questions, to, style);
}

void print_summary(const RunResult& run, std::ostream& to, const TerminalStyle& style) {
  std::vector<SummaryInput> inputs;
  for (const QuestionRun& one : run.each_question()) {
    const Question& question = one.question;
    inputs.push_back({question.id, question.title, question.text, &one.result, reports_of(one), issue_rows(one),
                      made_with_line(one)});
  }
  print_summary(inputs, to, style);
}

}  // namespace assay
