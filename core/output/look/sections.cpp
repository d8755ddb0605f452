#include "look/sections.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <sstream>

#include "render/format.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kName = 46;  ///< most characters of a name
using Rows = std::vector<std::size_t>;

/// A column read by name; what the table does not have is empty or NaN.
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
  /// What orders rows: of texts only whether they are there.
  [[nodiscard]] double weight(std::size_t row) const { return text(row).empty() ? number(row) : 1; }

 private:
  const OwnedTable::Column* column_;
};

struct Section {
  std::string title, analyzer, table, columns, by;
  double most = 0;
  bool half = false;
  std::vector<std::string> sentences = {};
};

const OwnedTable* table_of(const std::vector<OwnedTable>& tables, std::string_view analyzer, std::string_view id) {
  const auto at =
      std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.analyzer == analyzer && t.id == id; });
  return at == tables.end() ? nullptr : &*at;
}

/// Those whose text in the column it is; a page of thousands of reports asks for each of them.
Rows rows_where(const OwnedTable& table, std::string_view column, const std::string& text) {
  const OwnedTable::Column* cells = table.find(column);
  Rows rows;
  for (std::size_t r = 0; cells != nullptr && r < cells->texts.size(); ++r) {
    if (cells->texts[r] == text) rows.push_back(r);
  }
  return rows;
}

Rows every_row(const OwnedTable& table) {
  Rows rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<Section> sections_of(const OwnedTable& index, const std::string& report) {
  const Cells title(index, "title"), analyzer(index, "analyzer"), table(index, "table"), columns(index, "columns");
  const Cells by(index, "by"), most(index, "rows"), half(index, "half");
  const Cells sentence(index, "sentence");
  std::vector<Section> sections;
  for (const std::size_t r : rows_where(index, "report", report)) {
    if (sections.empty() || sections.back().title != title.text(r))
      sections.push_back({title.text(r), analyzer.text(r).empty() ? index.analyzer : analyzer.text(r), table.text(r),
                          columns.text(r), by.text(r), most.number(r), half.number(r) > 0});
    if (!sentence.text(r).empty()) sections.back().sentences.push_back(sentence.text(r));
  }
  return sections;
}

/// A table on the page of a report, which is called `name`, or of all (null and empty).
class Drawing {
 public:
  Drawing(const Section& section, const std::vector<OwnedTable>& of_all, const ReportResult* report,
          const std::string& name)
      : all_(report == nullptr) {
    if (!all_) table_ = table_of(report->tables, section.analyzer, section.table);
    own_ = table_ != nullptr;
    if (!own_) table_ = table_of(of_all, section.analyzer, section.table);
    if (table_ == nullptr) return;
    const bool whole = all_ || own_ || !Cells(*table_, "report").is_text();
    rows_ = whole ? every_row(*table_) : rows_where(*table_, "report", name);
    if (!section.by.empty()) rank(Cells(*table_, section.by));
    if (section.most >= 0 && section.most < static_cast<double>(rows_.size()))
      rows_.resize(static_cast<std::size_t>(section.most));
  }

  void add_column(const std::string& name, const std::string& heading, Part& to) const {
    const OwnedTable::Column* column = table_ == nullptr ? nullptr : table_->find(name);
    if (column == nullptr) return;
    const bool words = column->type == CellType::kText;
    to.columns.push_back({one_line(heading), !words});
    to.rows.resize(rows_.size());
    const std::vector<std::string> texts = words ? words_of(*column) : numbers_of(*column, heading);
    for (std::size_t r = 0; r < texts.size(); ++r) to.rows[r].push_back(texts[r]);
  }

 private:
  void rank(const Cells& by) {
    std::erase_if(rows_, [&](std::size_t r) { return !(by.weight(r) > 0); });
    std::ranges::stable_sort(rows_, [&](std::size_t a, std::size_t b) { return by.weight(a) > by.weight(b); });
  }

  /// Names of kernels and operators, which an analyzer takes from a report, are of any length.
  [[nodiscard]] std::vector<std::string> words_of(const OwnedTable::Column& column) const {
    std::vector<std::string> texts;
    for (const std::size_t r : rows_)
      texts.push_back(own_ ? shortened(one_line(column.texts[r]), kName) : column.texts[r]);
    return texts;
  }

  /// Reports differ by orders of magnitude, so that on the page of all each number has its own unit.
  [[nodiscard]] std::vector<std::string> numbers_of(const OwnedTable::Column& column,
                                                    const std::string& heading) const {
    const Cells cells(*table_, column.name);
    const bool whole = column.type == CellType::kInteger;
    std::vector<double> values;
    for (const std::size_t r : rows_) values.push_back(cells.number(r));
    if (!all_) return column_texts(values, column.unit, whole, heading);
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(column_texts({value}, column.unit, whole, heading).front());
    return texts;
  }

  bool all_, own_ = false;
  const OwnedTable* table_ = nullptr;
  Rows rows_;
};

void draw_columns(const std::string& columns, const Drawing& drawing, Part& to) {
  std::istringstream in(columns);
  for (std::string column; std::getline(in, column, '|');) {
    const std::size_t equals = column.find('=');
    drawing.add_column(column.substr(0, equals), equals == std::string::npos ? column : column.substr(equals + 1), to);
  }
}

}  // namespace

void add_sections(const QuestionResult& question, const ReportResult* report, const std::string& name, Page& to) {
  for (const OwnedTable& index : question.tables) {
    if (index.id != "sections") continue;
    for (const Section& section : sections_of(index, name)) {
      Part part{section.title, {}, {}, section.sentences, section.half};
      draw_columns(section.columns, {section, question.tables, report, name}, part);
      const bool empty = part.rows.empty() && part.sentences.empty();
      if (section.title.empty() && !part.sentences.empty()) to.headline = part.sentences.front();
      if (!section.title.empty() && !empty) to.parts.push_back(std::move(part));
    }
  }
}

}  // namespace assay::look
