#include <fmt/core.h>

#include <algorithm>

#include "algo/page_sections.hpp"
#include "render/answer_parts.hpp"
#include "render/format.hpp"
#include "render/html/page.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/provenance.hpp"
#include "render/strata.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxUnfolded = 3;

std::string paragraph(std::string_view text, std::string_view classes = {}) {
  if (text.empty()) return {};
  return (classes.empty() ? std::string("<p>") : "<p class=\"" + std::string(classes) + "\">") + html(text) + "</p>\n";
}

std::string effect_line(const OwnedEffect& effect) {
  std::string text = fmt::format("{}: {}; {}", effect_name(effect), with_interval(effect), effect_basis(effect));
  return effect.method.empty() ? text : text + "; " + effect.method;
}

/// Evidence of a question, grouped by kind.
class EvidencePart {
 public:
  EvidencePart(const PageInput& page, const QuestionRun& question) : page_(page), question_(question) {}

  std::string write() {
    const QuestionResult& result = question_.result;
    const std::vector<EvidenceGroup> groups = evidence_groups(result.findings);
    std::size_t all = 0;
    for (const EvidenceGroup& group : groups) all += group.findings.size();
    for (const EvidenceGroup& group : groups) add(group);
    close_list();
    if (all > 0) out_ = folded_part("Evidence", counted(all, "finding"), out_);
    notes(result.findings);
    return std::move(out_);
  }

 private:
  void item(const OwnedFinding& finding) {
    if (!in_list_) out_ += "<ul>\n";
    in_list_ = true;
    out_ += "<li><strong>" + html(finding.title) + "</strong>";
    if (!finding.labels.empty()) out_ += " <span class=\"small\">" + html(label_list(finding.labels)) + "</span>";
    if (finding.effect) out_ += "<br>" + html(effect_line(*finding.effect)) + ".";
    if (!finding.text.empty()) out_ += "<br>" + html(finding.text);
    out_ += facts_link(page_, question_, finding.evidence) + "</li>\n";
  }

  void notes(const std::vector<OwnedFinding>& findings) {
    const auto is_note = [](const OwnedFinding& finding) {
      return finding.role == FindingRole::kNote && !finding.analyzer.empty();
    };
    const auto all = static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), is_note));
    if (all == 0) return;
    std::string content;
    content.swap(out_);
    for (const OwnedFinding& finding : findings) {
      if (is_note(finding)) note(finding);
    }
    content.swap(out_);
    out_ += folded_part("What to know about the data", counted(all, "note"), content);
  }

  void note(const OwnedFinding& finding) {
    const std::string more = facts_link(page_, question_, finding.evidence);
    const std::string title = "<strong>" + html(finding.title) + "</strong>";
    if (finding.text.empty() && more.empty()) {
      out_ += "<p>" + title + "</p>\n";
      return;
    }
    out_ += fmt::format("<details class=\"note\"><summary>{}</summary><p class=\"small\">{}{}</p></details>\n", title,
                        html(finding.text), more);
  }

  void close_list() {
    if (in_list_) out_ += "</ul>\n";
    in_list_ = false;
  }

  void add(const EvidenceGroup& group) {
    if (group.findings.size() <= kMaxUnfolded) {
      for (const OwnedFinding* finding : group.findings) item(*finding);
      return;
    }
    close_list();
    if (group.effect.empty()) return add_words(group);
    std::string caption = group.effect + " in " + counted(group.findings.size(), "case");
    if (!group.common.empty()) caption += ", all with " + group.common;
    // States what all rows have in common once.
    const std::string basis = basis_of(*group.findings.front()->effect);
    const bool one_basis = std::all_of(group.findings.begin(), group.findings.end(),
                                       [&](const OwnedFinding* f) { return basis_of(*f->effect) == basis; });
    if (one_basis) caption += "; " + basis;
    std::vector<HtmlColumn> columns = {
        {"finding", {}}, {group.effect + " with interval", {}, true}, {"n", "runs", true}};
    if (!one_basis) columns.push_back({"interval", {}});
    columns.push_back({"in words", {}});
    columns.push_back({"facts", {}});
    HtmlTable table(fmt::format("evidence-{}-{}", question_.number, tables_++), caption, std::move(columns));
    for (const OwnedFinding* f : group.findings) {
      std::vector<HtmlCell> cells = {{f->title}, {with_interval(*f->effect)}, {std::to_string(f->effect->n)}};
      if (!one_basis) cells.push_back({basis_of(*f->effect)});
      cells.push_back({f->text});
      cells.push_back({facts_link(page_, question_, f->evidence), true});
      table.row(cells);
    }
    out_ += fmt::format(
        "<details class=\"block\"><summary>{} <span class=\"small\">{}, {}</span></summary>\n{}</details>\n",
        html(group.effect), counted(group.findings.size(), "finding"), html(group.values), table.str());
  }

  /// Many sentences of one analyzer, as a table.
  void add_words(const EvidenceGroup& group) {
    const std::string& analyzer = group.findings.front()->analyzer;
    const std::string count = counted(group.findings.size(), "finding");
    HtmlTable table(fmt::format("evidence-{}-{}", question_.number, tables_++), count + " of " + analyzer,
                    {{"finding", {}}, {"in words", {}}, {"facts", {}}});
    for (const OwnedFinding* f : group.findings)
      table.row({{f->title}, {f->text}, {facts_link(page_, question_, f->evidence), true}});
    out_ +=
        fmt::format("<details class=\"block\"><summary>{} <span class=\"small\">{}</span></summary>\n{}</details>\n",
                    html(analyzer), count, table.str());
  }

  const PageInput& page_;
  const QuestionRun& question_;
  std::string out_;
  bool in_list_ = false;
  std::size_t tables_ = 0;
};

/// Caveats of the host on the profiles, folded to one line.
std::string caveats(const QuestionResult& result) {
  std::string out;
  std::size_t count = 0;
  for (const OwnedFinding& finding : result.findings) {
    if (!finding.analyzer.empty() || finding.role != FindingRole::kNote) continue;
    out += fmt::format("<p class=\"small\"><strong>{}</strong> {}</p>\n", html(finding.title), html(finding.text));
    ++count;
  }
  return out.empty() ? out : folded_part("Caveats", std::to_string(count), out);
}

/// The first answer with its number large; the others and their evidence folded.
std::string answer_part(const PageInput& page, const QuestionRun& question, bool number_shown) {
  const QuestionResult& result = question.result;
  std::string out = "<div class=\"answer\">\n", more, basis;
  std::size_t answers = 0;
  for (const OwnedFinding& finding : result.findings) {
    if (finding.role != FindingRole::kAnswer) continue;
    if (answers++ == 0) {
      if (!number_shown) out += paragraph(large_number(result, finding), "number");
      out += paragraph(finding.title, "said");
    } else {
      more += paragraph(finding.title, "said");
    }
    if (!finding.labels.empty()) basis += paragraph("With " + label_list(finding.labels) + ":", "small");
    if (finding.effect) basis += paragraph(effect_line(*finding.effect) + ".", "small");
    basis += paragraph(finding.text, "small");
    const std::string link = facts_link(page, question, finding.evidence);
    if (!link.empty()) basis += "<p class=\"small\">" + link + "</p>\n";
  }
  if (answers == 0) out += paragraph("No analyzer gave an answer; “Profiles” says what was left out.", "said");
  if (!(more + basis).empty()) {
    const std::string title = more.empty() ? "Basis" : counted(answers - 1, "more answer") + ", basis";
    out += fmt::format("<details><summary class=\"small\">{}</summary>\n{}{}</details>\n", title, more, basis);
  }
  return out + "</div>\n";
}

std::string chips_part(const QuestionResult& result) {
  std::string out;
  for (std::size_t v = 0; v < 4; ++v) {
    const auto verdict = static_cast<Verdict>(v);
    const auto count = std::count_if(result.claims.begin(), result.claims.end(),
                                     [&](const OwnedClaim& claim) { return claim.verdict == verdict; });
    if (count > 0) out += verdict_chip(verdict, std::to_string(count));
  }
  return out.empty() ? out : "<p class=\"chips\">" + out + "</p>\n";
}

HtmlTable table_of(const PageInput& page, const OwnedTable& table, std::string id, const std::string& title) {
  std::vector<HtmlColumn> columns;
  std::vector<ShownColumn> in_one_unit;
  for (const OwnedTable::Column& column : table.columns)
    columns.push_back({column.name, in_one_unit.emplace_back(column).unit(), column.type != CellType::kText});
  HtmlTable shown(std::move(id), title, std::move(columns));
  shown.at_most(std::max(page.budget.rows, HtmlTable::kWholeRows), "results.sqlite (table_cells)");
  const std::size_t rows = table.rows();
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<HtmlCell> cells;
    for (const ShownColumn& column : in_one_unit) cells.push_back({column.cell(r)});
    shown.row(cells);
  }
  return shown;
}

/// The small table of the answer is open, the others are folded.
std::string tables_part(const PageInput& page, const QuestionRun& question, const OwnedTable* shown,
                        const MetricWords& words) {
  const QuestionResult& result = question.result;
  std::string out;
  std::size_t count = 0;
  if (shown != nullptr) {
    ++count;
    const std::string title = shown->title.empty() ? shown->id : shown->title;
    const std::string table = table_of(page, *shown, "shown-" + std::to_string(question.number), title).str();
    out += words.in_html(table);
  }
  for (std::size_t t = 0; t < result.tables.size(); ++t) {
    const OwnedTable& table = result.tables[t];
    if (&table == shown || table.id == page::kLayoutTable) continue;
    ++count;
    const std::string title = table.title.empty() ? table.id : table.title;
    const std::string id = fmt::format("table-{}-{}", question.number, t);
    out += fmt::format(
        "<details class=\"block\"><summary>{} <span class=\"small\">{}, {}</span></summary>\n{}</details>\n",
        html(title), counted(table.rows(), "row"), html(table.analyzer), table_of(page, table, id, title).str());
  }
  return out.empty() ? out : folded_part("Tables", std::to_string(count), out);
}

}  // namespace

std::string folded_part(std::string_view title, std::string_view said, std::string_view content) {
  return fmt::format(
      "<details class=\"part\"><summary><h3>{}</h3> <span class=\"small\">{}</span></summary>\n{}</details>\n",
      html(title), html(said), std::string(content));
}

std::string facts_link(const PageInput& page, const QuestionRun& question, const std::vector<EvidenceRow>& evidence) {
  const std::string& id = question.question.id;
  std::vector<std::size_t> places;
  for (const EvidenceRow& row : evidence) {
    const std::size_t place = page.facts.row_of(row.report, row.metric, row.dims, id);
    if (place < page.facts.size()) places.push_back(place + 1);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (places.empty()) return {};
  std::string list;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    end = begin + 1;
    while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
    list += (list.empty() ? "" : " ") + std::to_string(places[begin]);
    if (end - begin > 1) list += "-" + std::to_string(places[end - 1]);
  }
  return fmt::format(" <a class=\"facts-of\" href=\"#fact-{}\" data-facts=\"{}\">{}</a>", places.front(), list,
                     counted(places.size(), "fact"));
}

std::string question_section(const PageInput& page, const QuestionRun& question) {
  const Question& asked = question.question;
  const MetricWords words(question.result.metrics);
  const std::string id = "q-" + slug(asked.id);
  const AnswerParts parts = answer_parts(question.result);
  const bool one = page.questions.size() == 1;  // its figure, number and verdicts are on the first screen
  std::string out =
      fmt::format("<section class=\"question\" id=\"{}\" aria-labelledby=\"{}-title\">\n<h2 id=\"{}-title\">{}</h2>\n",
                  id, id, id, html(one ? "Answer" : question_title(asked)));
  if (!one) out += paragraph(asked.text, "asked");
  out += fmt::format("<div class=\"glance\"><div>{}{}{}</div>\n{}</div>\n<div class=\"folds\">\n",
                     paragraph(asked.note, "small"), words.in_html(answer_part(page, question, one)),
                     one ? "" : chips_part(question.result),
                     one || parts.plot == nullptr ? "" : small_figure(question, *parts.plot));
  return fmt::format("{}{}{}{}{}{}{}</div>\n</section>\n", out, words.in_html(claims_part(page, question)),
                     plots_part(page, question, parts.plot), tables_part(page, question, parts.table, words),
                     words.in_html(EvidencePart(page, question).write()), words.in_html(caveats(question.result)),
                     left_out_part(question));
}

}  // namespace assay
