#include "render/markdown_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/outputs.hpp"
#include "render/plots/claimed_ranges.hpp"
#include "render/samples.hpp"
#include "render/text.hpp"

namespace assay {

MarkdownTable::MarkdownTable(const std::vector<Column>& columns) {
  std::string rule = "|";
  text_ = "|";
  for (const Column& column : columns) {
    text_ += " " + markdown(column.title) + " |";
    rule += column.right ? "---:|" : "---|";
  }
  text_ += "\n" + rule + "\n";
}

void MarkdownTable::row(const std::vector<std::string>& cells) {
  text_ += "|";
  for (const std::string& cell : cells) text_ += " " + markdown(cell) + " |";
  text_ += "\n";
}

std::string markdown_table(const OwnedTable& table) {
  std::vector<MarkdownTable::Column> columns;
  std::vector<ShownColumn> shown;
  for (const OwnedTable::Column& column : table.columns) {
    const std::string& unit = shown.emplace_back(column).unit();
    columns.push_back(
        {unit.empty() ? column.name : fmt::format("{} ({})", column.name, unit), column.type != CellType::kText});
  }
  MarkdownTable rows(columns);
  for (std::size_t r = 0; r < std::min(table.rows(), kMaxMarkdownRows); ++r) {
    std::vector<std::string> cells;
    for (const ShownColumn& column : shown) cells.push_back(column.cell(r));
    rows.row(cells);
  }
  if (table.rows() <= kMaxMarkdownRows) return rows.text() + "\n";
  return fmt::format(
      "{}\nThe first {} of {} rows; all of them are in `report.html` and in `results.sqlite`, view `table_cells`, name "
      "`{}`.\n\n",
      rows.text(), kMaxMarkdownRows, table.rows(), table.id);
}

std::string markdown_plot(const std::string& question, const OwnedPlot& plot, bool caption) {
  std::string text = fmt::format("![{}]({})\n\n", markdown(plot.title), plot_file_name(question, plot));
  if (caption && !plot.caption.empty()) text += markdown(plot.caption) + "\n\n";
  return text;
}

std::string markdown_answer_parts(const QuestionRun& run, const AnswerParts& parts) {
  std::string text;
  if (parts.plot != nullptr) {
    text += markdown_plot(run.question.id, *parts.plot, false);
    if (const std::string said = claimed_ranges(run.result, *parts.plot).said; !said.empty())
      text += markdown(said) + "\n\n";
  }
  if (parts.table != nullptr) text += markdown_table(*parts.table);
  return text;
}

std::string markdown_samples(const QuestionRun& run, const OwnedPlot& plot) {
  const Samples samples = samples_behind(run, plot);
  std::string text;
  for (std::size_t i = 0; i < samples.strips.size(); ++i) {
    text += fmt::format("![{}]({})\n\n", markdown("Samples: " + samples.strips[i].title),
                        samples_file_name(run.question.id, plot, i));
  }
  for (const Instant& instant : samples.instants)
    text += fmt::format("- {} `{}`\n", markdown(instant.said), one_line(instant.command));
  return samples.instants.empty() ? text : text + "\n";
}

std::string markdown_claims(const QuestionResult& result) {
  MarkdownTable table({{"verdict"}, {"what is claimed"}, {"claimed"}, {"measured"}, {"n"}, {"source"}});
  for (const OwnedClaim& claim : result.claims) {
    table.row({std::string(verdict_name(claim.verdict)), claim.text, claimed_text(claim), measured_text(claim),
               runs_text(claim), claim.source});
  }
  return table.text() + "\n";
}

std::string folded(std::string_view title, std::string_view content) {
  return fmt::format("<details><summary>{}</summary>\n\n{}</details>\n\n", markdown(title), std::string(content));
}

}  // namespace assay
