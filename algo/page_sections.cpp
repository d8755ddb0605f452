#include "algo/page_sections.hpp"

#include <cmath>
#include <optional>
#include <sstream>

#include "assay/words.hpp"

namespace assay::page {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, '|');) parts.push_back(part);
  return parts;
}

std::optional<std::int64_t> whole(double value) {
  return std::isfinite(value) ? std::optional(static_cast<std::int64_t>(std::llround(value))) : std::nullopt;
}

}  // namespace

std::string share_text(double share) { return share > 0 && share < 0.005 ? "< 1 %" : percent(share, 0); }

void Sections::section(const std::string& title, const SectionView& shown) {
  rows_.push_back({rows_.back().report, title, shown, {}});
  if (shown.units != nullptr) made_[shown.table].shown = shown;  // created even if no line follows
}

Table Sections::made_table(const SectionRows& made) {
  const std::vector<std::string> columns = split(made.shown.columns), units = split(made.shown.units);
  Table table(made.shown.table, std::string("On the pages: ") + made.shown.table);
  table.column("report", "", made.lines, &Line::first);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string name = columns[c].substr(0, columns[c].find_first_of("?="));
    const auto number = [&](const Line& line) { return std::get<double>(line.second[c]); };
    if (units[c] == "text")
      table.column(name, "", made.lines, [&](const Line& line) { return std::get<std::string>(line.second[c]); });
    else if (units[c] == "1")
      table.column(name, "1", made.lines, [&](const Line& line) { return whole(number(line)); });
    else
      table.column(name, units[c], made.lines, number);
  }
  return table;
}

void Sections::emit(StudySink& sink) const {
  const auto of_shown = [](const auto member) { return [member](const Row& row) { return row.shown.*member; }; };
  Table index(std::string(kLayoutTable), "Sections of the pages");
  index.column("report", "", rows_, &Row::report)
      .column("title", "", rows_, &Row::title)
      .column("analyzer", "", rows_, of_shown(&SectionView::analyzer))
      .column("table", "", rows_, of_shown(&SectionView::table))
      .column("columns", "", rows_, of_shown(&SectionView::columns))
      .column("by", "", rows_, of_shown(&SectionView::by))
      .column("rows", "1", rows_, of_shown(&SectionView::rows))
      .column("half", "1", rows_, [](const Row& row) { return std::int64_t{row.shown.half}; })
      .column("leads", "1", rows_, [](const Row& row) { return std::int64_t{row.shown.leads}; })
      .column("plot", "", rows_, of_shown(&SectionView::plot))
      .column("unknown empty", "1", rows_, [](const Row& row) { return std::int64_t{row.shown.unknown_empty}; })
      .column("sentence", "", rows_, &Row::sentence)
      .column("advice", "1", rows_, [](const Row& row) { return std::int64_t{row.is_advice}; })
      .column("gain", "", rows_, [](const Row& row) { return row.advice.gain; })
      .column("gain share", "ratio", rows_, [](const Row& row) { return row.advice.share; })
      .column("command", "", rows_, [](const Row& row) { return row.advice.command; });
  sink.table(index);
  for (const auto& [id, made] : made_) sink.table(made_table(made));
}

}  // namespace assay::page
