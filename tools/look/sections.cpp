#include "look/sections.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>

#include "algo/page_sections.hpp"
#include "assay/words.hpp"
#include "render/format.hpp"
#include "render/html/flame.hpp"
#include "render/html/strip.hpp"
#include "render/html/waterfall.hpp"
#include "render/plots/svg.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kName = 46;  ///< max characters of a name
using Rows = std::vector<std::size_t>;

/// A column read by name; missing cells are empty or NaN.
class Cells {
 public:
  Cells(const OwnedTable& table, std::string_view column) : column_(table.find(column)) {}

  [[nodiscard]] bool is_text() const { return column_ != nullptr && column_->type == CellType::kText; }
  [[nodiscard]] const std::string& text(std::size_t row) const {
    static const std::string kNothing;
    return is_text() ? column_->texts[row] : kNothing;
  }
  [[nodiscard]] double number(std::size_t row) const {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    if (column_ == nullptr || is_text()) return kNothing;
    if (column_->type == CellType::kNumber) return column_->numbers[row];
    return column_->integers[row] == kNoInteger ? kNothing : static_cast<double>(column_->integers[row]);
  }
  /// Sort key of a row; for texts only whether there is one.
  [[nodiscard]] double weight(std::size_t row) const { return text(row).empty() ? number(row) : 1; }

 private:
  const OwnedTable::Column* column_;
};

struct Section {
  std::string title, analyzer, table, columns, by, plot;
  double most = 0;
  bool half = false, unknown_empty = false, leads = false;
  std::vector<std::string> sentences = {};
  std::vector<PageAdvice> advice = {};
};

const OwnedTable* table_of(const std::vector<OwnedTable>& tables, std::string_view analyzer, std::string_view id) {
  const auto at = std::ranges::find_if(tables, [&](const auto& t) { return t.analyzer == analyzer && t.id == id; });
  return at == tables.end() ? nullptr : &*at;
}

Rows every_row(const OwnedTable& table) {
  Rows rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<Section> sections_of(const OwnedTable& index, const std::string& report, ReportRows& rows) {
  const Cells title(index, "title"), analyzer(index, "analyzer"), table(index, "table"), columns(index, "columns");
  const Cells by(index, "by"), most(index, "rows"), half(index, "half"), unknown_empty(index, "unknown empty"),
      leads(index, "leads");
  const Cells sentence(index, "sentence"), plot(index, "plot"), advice(index, "advice"), gain(index, "gain"),
      gain_share(index, "gain share"), command(index, "command");
  std::vector<Section> sections;
  for (const std::size_t r : rows.of(index, report)) {
    if (sections.empty() || sections.back().title != title.text(r))
      sections.push_back({title.text(r), analyzer.text(r).empty() ? index.analyzer : analyzer.text(r), table.text(r),
                          columns.text(r), by.text(r), plot.text(r), most.number(r), half.number(r) > 0,
                          unknown_empty.number(r) > 0, leads.number(r) > 0});
    if (advice.number(r) > 0)
      sections.back().advice.push_back({sentence.text(r), gain.text(r), command.text(r), gain_share.number(r)});
    else if (!sentence.text(r).empty())
      sections.back().sentences.push_back(sentence.text(r));
  }
  return sections;
}

/// Calls `use(name, heading, spare)` for the columns of a section.
template <class Use>
void each_column(const std::string& columns, Use&& use) {
  std::istringstream in(columns);
  for (std::string column; std::getline(in, column, '|');) {
    const std::string name = column.substr(0, column.find_first_of("?="));
    const std::size_t equals = column.find('=');
    use(name, equals == std::string::npos ? name : column.substr(equals + 1), column[name.size()] == '?');
  }
}

/// A table on the page of the report `name`, or of all reports (null and empty).
class SectionTable {
 public:
  SectionTable(const Section& section, const std::vector<OwnedTable>& of_all, const ReportResult* report,
               const std::string& name, ReportRows& rows)
      : all_(report == nullptr), unknown_empty_(section.unknown_empty) {
    if (!all_) table_ = table_of(report->tables, section.analyzer, section.table);
    own_ = table_ != nullptr;
    if (!own_) table_ = table_of(of_all, section.analyzer, section.table);
    if (table_ == nullptr) return;
    const bool whole = all_ || own_ || !Cells(*table_, "report").is_text();
    rows_ = whole ? every_row(*table_) : rows.of(*table_, name);
    if (!section.by.empty()) rank(Cells(*table_, section.by));
    if (section.most >= 0 && section.most < static_cast<double>(rows_.size()))
      rows_.resize(static_cast<std::size_t>(section.most));
  }

  /// Sorts a table with one row per report and returns the heading of the sort column; empty: there is none.
  std::string order_by(const std::string& columns, RowOrder& order) {
    if (table_ == nullptr || !Cells(*table_, "report").is_text()) return {};
    std::set<std::string_view> reports;
    for (const std::size_t r : rows_) reports.insert(table_->find("report")->texts[r]);
    if (reports.size() < 2) return {};
    const OwnedTable::Column* by = nullptr;
    std::string title;
    each_column(columns, [&](const std::string& name, const std::string& heading, bool) {
      if (table_->find(name) == nullptr) return;
      if (!Cells(*table_, name).is_text() && std::ranges::find(order.headings, heading) == order.headings.end())
        order.headings.push_back(heading);
      if (by == nullptr && lower_case(heading).find(lower_case(order.column)) != std::string::npos) {
        by = table_->find(name);
        title = heading;
      }
    });
    if (by == nullptr) return {};
    order.found = true;
    const Cells cells(*table_, by->name);
    const bool shortest = by->unit == "ns";
    const auto number = [&](std::size_t r) {
      const double value = shortest ? -cells.number(r) : cells.number(r);
      return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::ranges::stable_sort(rows_, [&](std::size_t a, std::size_t b) {
      return cells.is_text() ? cells.text(a) < cells.text(b) : number(a) > number(b);
    });
    return title;
  }

  /// A table of several pages with the rows of this one.
  [[nodiscard]] OwnedTable own_rows(const OwnedTable& table) const {
    OwnedTable own = table;
    for (OwnedTable::Column& column : own.columns) {
      OwnedTable::Column all = std::move(column);
      column = {all.name, all.unit, all.type, {}, {}, {}};
      for (const std::size_t r : rows_) {
        if (!all.texts.empty()) column.texts.push_back(all.texts[r]);
        if (!all.numbers.empty()) column.numbers.push_back(all.numbers[r]);
        if (!all.integers.empty()) column.integers.push_back(all.integers[r]);
      }
    }
    return own;
  }

  void add_column(const std::string& name, const std::string& heading, bool spare, PageSection& to) {
    const OwnedTable::Column* column = table_ == nullptr ? nullptr : table_->find(name);
    if (column == nullptr) return;
    const bool words = column->type == CellType::kText;
    to.columns.push_back({one_line(heading), !words, spare});
    to.rows.resize(rows_.size());
    ColumnTexts texts = words ? ColumnTexts{{}, words_of(*column)} : numbers_of(*column);
    for (std::size_t r = 0; r < texts.cells.size(); ++r) to.rows[r].push_back(std::move(texts.cells[r]));
    units_.push_back(std::move(texts.unit));
    PartValues& values = to.values.emplace_back();
    values.name = column->name;
    values.unit = column->unit;
    values.whole = column->type == CellType::kInteger;
    const Cells cells(*table_, column->name);
    for (const std::size_t r : rows_) {
      if (words)
        values.texts.push_back(cells.text(r));
      else
        values.numbers.push_back(cells.number(r));
    }
  }

  /// Says each unit once: one of all columns that have any beside the title, else in their heads.
  void add_units(PageSection& to) const {
    std::set<std::string_view> units(units_.begin(), units_.end());
    units.erase("");
    const auto with = std::ranges::count_if(units_, [](const std::string& unit) { return !unit.empty(); });
    const bool beside =
        units.size() == 1 && with > 1 && units.begin()->size() == 2 && units.begin()->back() == 's';  // "ms"
    if (beside) to.unit = *units.begin();
    for (std::size_t c = 0; c < units_.size() && !beside; ++c) to.columns[c].unit = units_[c];
  }

  /// The first column of shares if they are parts of one whole; else empty.
  [[nodiscard]] std::vector<double> shares() const {
    constexpr double kRounding = 1e-6;
    if (table_ == nullptr || all_) return {};
    const auto column =
        std::ranges::find_if(table_->columns, [](const auto& c) { return c.unit == "ratio" && c.name == "share"; });
    if (column == table_->columns.end()) return {};
    std::vector<double> out;
    double sum = 0;
    for (const std::size_t r : rows_) {
      out.push_back(Cells(*table_, column->name).number(r));
      if (!std::isnan(out.back())) sum += out.back();
    }
    return sum > 1 + kRounding || out.size() < 2 ? std::vector<double>() : out;
  }

 private:
  void rank(const Cells& by) {
    std::erase_if(rows_, [&](std::size_t r) { return !(by.weight(r) > 0); });
    std::ranges::stable_sort(rows_, [&](std::size_t a, std::size_t b) { return by.weight(a) > by.weight(b); });
  }

  /// Names of kernels and operators come from reports and have any length.
  [[nodiscard]] std::vector<std::string> words_of(const OwnedTable::Column& column) const {
    std::vector<std::string> texts;
    for (const std::size_t r : rows_)
      texts.push_back(own_ ? shortened(one_line(column.texts[r]), kName) : column.texts[r]);
    return texts;
  }

  /// A section with units of its own leaves unknown values empty.
  [[nodiscard]] ColumnTexts numbers_of(const OwnedTable::Column& column) const {
    const Cells cells(*table_, column.name);
    std::vector<double> values;
    for (const std::size_t r : rows_) values.push_back(cells.number(r));
    ColumnTexts texts = column_texts(values, column.unit, column.type == CellType::kInteger);
    for (std::string& cell : texts.cells) {
      if (unknown_empty_ && cell == kNotKnown) cell.clear();
    }
    return texts;
  }

  bool all_, unknown_empty_, own_ = false;
  const OwnedTable* table_ = nullptr;
  Rows rows_;
  std::vector<std::string> units_;  ///< of the columns
};

/// Advice stands first; that of several analyzers is one list, the last asked first.
void add_part(PageSection part, Page& to) {
  if (part.advice.empty()) return to.parts.push_back(std::move(part));
  const auto same = std::ranges::find_if(
      to.parts, [&](const PageSection& one) { return one.title == part.title && !one.advice.empty(); });
  if (same == to.parts.end()) {
    to.parts.insert(to.parts.begin(), std::move(part));
  } else {
    same->advice.insert(same->advice.begin(), part.advice.begin(), part.advice.end());
  }
}

std::string figure_of(const QuestionResult& question, const Section& section) {
  for (const OwnedPlot& plot : question.plots) {
    if (!section.plot.empty() && plot.id == section.plot && plot.analyzer == section.analyzer)
      return svg_element(plot, drawing_of(plot));
  }
  return {};
}

}  // namespace

const std::vector<std::size_t>& ReportRows::of(const OwnedTable& table, const std::string& report) {
  const auto [at, first] = rows_.try_emplace(&table);
  const OwnedTable::Column* cells = first ? table.find("report") : nullptr;
  for (std::size_t r = 0; cells != nullptr && r < cells->texts.size(); ++r) at->second[cells->texts[r]].push_back(r);
  return at->second[report];
}

void add_sections(const QuestionResult& question, const ReportResult* report, const std::string& name, Page& to,
                  ReportRows& rows, RowOrder* order) {
  for (const OwnedTable& index : question.tables) {
    if (index.id != page::kLayoutTable) continue;
    for (const Section& section : sections_of(index, name, rows)) {
      PageSection part{section.title, {}, {}, section.sentences, section.half};
      part.table = section.table;
      part.leads = section.leads;
      SectionTable drawing(section, question.tables, report, name, rows);
      const bool ordered = order != nullptr && !order->column.empty();
      if (const std::string by = ordered ? drawing.order_by(section.columns, *order) : ""; !by.empty())
        part.title = "By " + by;
      if (section.plot != page::kWaterfall) {
        each_column(section.columns, [&](const std::string& column, const std::string& heading, bool spare) {
          drawing.add_column(column, heading, spare, part);
        });
      }
      drawing.add_units(part);
      part.advice = section.advice;
      part.figure = figure_of(question, section);
      if (const OwnedTable* const fall = table_of(question.tables, section.analyzer, section.table);
          fall != nullptr && section.plot == page::kWaterfall)
        part.figure = waterfall_figure(drawing.own_rows(*fall));
      if (section.plot == page::kFlame && report != nullptr) {
        const OwnedTable* const stacks = table_of(report->tables, section.analyzer, section.table);
        part.figure = stacks == nullptr ? std::string() : flame_figure(*stacks);
      }
      if (section.plot == page::kStrip && report != nullptr) {
        part.figure = strip_figure({{{}, table_of(report->tables, section.analyzer, section.table)}}, rows.many);
        part.picture = !part.figure.empty();
        const OwnedTable* const strip = table_of(report->tables, section.analyzer, section.table);
        const std::string shown = strip == nullptr || strip->rows() == 0 ? "" : Cells(*strip, "label").text(0);
        if (!shown.empty()) part.timeline = filled("assay timeline {} {} -o step.json", {name, shown});
      }
      if (part.narrow) part.shares = drawing.shares();
      const bool empty = part.rows.empty() && part.sentences.empty() && part.advice.empty() && part.figure.empty();
      if (section.title.empty() && !part.sentences.empty()) to.headline = part.sentences.front();
      if (!section.title.empty() && !empty) add_part(std::move(part), to);
    }
  }
}

}  // namespace assay::look
