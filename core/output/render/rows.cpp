#include "render/rows.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "render/text.hpp"

namespace assay {
namespace {

class TableWriter : public RowWriter {
 public:
  TableWriter(const std::vector<std::string>& titles, std::ostream& out) : out_(out) {
    for (const std::string& title : titles) titles_.push_back({one_line(title)});
  }
  void row(std::span<const RowCell> cells) override {
    constexpr std::size_t kMeasured = 500;  // rows that determine the widths
    std::vector<Cell> own;
    for (const RowCell& cell : cells)
      own.push_back({cell.number ? std::string(cell.text) : one_line(cell.text), cell.number || cell.null});
    if (printing_) return print(own);
    waiting_.push_back(std::move(own));
    if (waiting_.size() == kMeasured) begin();
  }
  void end() override {
    if (!printing_) begin();
  }

 private:
  struct Cell {
    std::string text;
    bool right = false;
  };

  void begin() {
    printing_ = true;
    for (const Cell& title : titles_) {
      widths_.push_back(display_width(title.text));
      right_.push_back(true);
    }
    for (const std::vector<Cell>& cells : waiting_) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        widths_[c] = std::max(widths_[c], display_width(cells[c].text));
        right_[c] = right_[c] && cells[c].right;
      }
    }
    print(titles_);
    std::vector<Cell> rule;
    for (const std::size_t width : widths_) rule.push_back({std::string(width, '-')});
    print(rule);
    for (const std::vector<Cell>& cells : waiting_) print(cells);
    waiting_.clear();
  }
  void print(const std::vector<Cell>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t used = display_width(cells[c].text), blanks = widths_[c] > used ? widths_[c] - used : 0;
      if (c > 0) line += "  ";
      if (right_[c]) line.append(blanks, ' ');
      line += cells[c].text;
      if (!right_[c] && c + 1 < cells.size()) line.append(blanks, ' ');
    }
    out_ << line << "\n";
  }

  std::ostream& out_;
  std::vector<Cell> titles_;
  std::vector<std::size_t> widths_;
  std::vector<char> right_;
  std::vector<std::vector<Cell>> waiting_;
  bool printing_ = false;
};

class LineWriter : public RowWriter {
 public:
  LineWriter(const std::vector<std::string>& titles, std::ostream& out) : out_(out) {
    for (const std::string& title : titles) {
      titles_.push_back(one_line(title));
      width_ = std::max(width_, display_width(titles_.back()));
    }
  }
  void row(std::span<const RowCell> cells) override {
    if (!first_) out_ << "\n";
    first_ = false;
    for (std::size_t c = 0; c < cells.size(); ++c)
      out_ << std::string(width_ - display_width(titles_[c]), ' ') << titles_[c] << " = " << one_line(cells[c].text)
           << "\n";
  }

 private:
  std::ostream& out_;
  std::vector<std::string> titles_;
  std::size_t width_ = 0;
  bool first_ = true;
};

class CsvRows : public RowWriter {
 public:
  CsvRows(const std::vector<std::string>& titles, std::ostream& out) : out_(out) {
    std::vector<RowCell> header;
    for (const std::string& title : titles) header.push_back({title});
    row(header);
  }
  void row(std::span<const RowCell> cells) override {
    for (std::size_t c = 0; c < cells.size(); ++c) out_ << (c > 0 ? "," : "") << csv_cell(std::string(cells[c].text));
    out_ << "\n";
  }

 private:
  std::ostream& out_;
};

class JsonRows : public RowWriter {
 public:
  JsonRows(const std::vector<std::string>& titles, std::ostream& out) : out_(out) {
    for (const std::string& title : titles) keys_.push_back(json_text(title) + ": ");
    out_ << "[";
  }
  void row(std::span<const RowCell> cells) override {
    std::string line = first_ ? "\n {" : ",\n {";
    first_ = false;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const RowCell& cell = cells[c];
      const bool finite = cell.number && cell.text.find("inf") == std::string_view::npos;
      line.append(c > 0 ? ", " : "").append(keys_[c]);
      if (cell.null)
        line += "null";
      else if (finite)
        line += cell.text;
      else
        line += json_text(cell.text);
    }
    out_ << line << "}";
  }
  void end() override { out_ << (first_ ? "]\n" : "\n]\n"); }

 private:
  static std::string json_text(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::ostream& out_;
  std::vector<std::string> keys_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<RowWriter> row_writer(RowFormat format, const std::vector<std::string>& titles, std::ostream& out) {
  if (format == RowFormat::kCsv) return std::make_unique<CsvRows>(titles, out);
  if (format == RowFormat::kJson) return std::make_unique<JsonRows>(titles, out);
  if (format == RowFormat::kLine) return std::make_unique<LineWriter>(titles, out);
  return std::make_unique<TableWriter>(titles, out);
}

}  // namespace assay
