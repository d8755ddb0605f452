#include "look/print.hpp"

#include <algorithm>
#include <sstream>

#include "render/html/html.hpp"
#include "render/plots/svg.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kBetween = 4;    // columns between two parts side by side
constexpr std::size_t kMostRows = 12;  // of a table: the rest is for the page

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has_titles(const Part& part) {
  return std::any_of(part.columns.begin(), part.columns.end(), [](const auto& c) { return !c.title.empty(); });
}

/// The lines of a part below its title, at most `width` columns wide where words can be broken.
std::vector<std::string> body(const Part& part, std::size_t width) {
  std::vector<std::string> lines;
  if (!part.rows.empty()) {
    std::vector<TextTable::Column> columns = part.columns;
    const std::vector<std::vector<std::string>>& rows = part.rows;
    // The last column of words takes what is left, on lines of its own where that is not enough.
    std::size_t before = 2;
    for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
      std::size_t widest = display_width(columns[c].title);
      for (const auto& row : rows) widest = std::max(widest, display_width(one_line(row[c])));
      before += widest + 2;
    }
    const bool wraps = !columns.back().right;
    const std::size_t left = wraps && width > before + 24 ? width - before : 0;
    TextTable table(columns);
    for (const auto& row : rows) {
      const std::vector<std::string> last =
          left > 0 ? wrapped(one_line(row.back()), left) : std::vector<std::string>{row.back()};
      std::vector<std::string> cells = row;
      for (std::size_t i = 0; i < std::max<std::size_t>(1, last.size()); ++i) {
        if (i > 0) cells.assign(columns.size(), "");
        cells.back() = last.empty() ? "" : last[i];
        table.row(cells);
      }
    }
    std::ostringstream text;
    table.print(text, 2);
    lines = lines_of(text.str());
    if (!has_titles(part)) lines.erase(lines.begin());
  }
  for (const std::string& sentence : part.sentences) {
    bool first = true;
    for (const std::string& line : wrapped(one_line(sentence), width - 4)) {
      lines.push_back((first ? "  - " : "    ") + line);
      first = false;
    }
  }
  return lines;
}

class Printer {
 public:
  Printer(std::ostream& to, const TerminalStyle& style) : to_(to), style_(style) {}

  void line(const std::string& text = {}) { to_ << text << "\n"; }
  [[nodiscard]] std::string bold(const std::string& text) const {
    return style_.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
  }

  void part(const Part& whole) {
    Part part = whole;
    if (part.rows.size() > kMostRows + 1) part.rows.resize(kMostRows);
    line();
    line(bold(one_line(part.title)));
    for (const std::string& text : body(part, style_.width)) line(text);
    if (part.rows.size() < whole.rows.size())
      line("  and " + std::to_string(whole.rows.size() - part.rows.size()) + " more; -o look.html lists all");
  }

  /// Both side by side where they fit, else one below the other.
  void parts(const Part& left, const Part& right) {
    const std::vector<std::string> a = body(left, style_.width), b = body(right, style_.width);
    std::size_t width = display_width(left.title), other = display_width(right.title);
    for (const std::string& text : a) width = std::max(width, display_width(text));
    for (const std::string& text : b) other = std::max(other, display_width(text));
    width = std::max(width + kBetween, style_.width / 2);
    if (width + other > style_.width) {
      part(left);
      return part(right);
    }
    line();
    line(bold(padded(one_line(left.title), width)) + bold(one_line(right.title)));
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      if (i >= b.size())
        line(a[i]);
      else
        line(padded(i < a.size() ? a[i] : "", width) + b[i]);
    }
  }

 private:
  std::ostream& to_;
  const TerminalStyle& style_;
};

}  // namespace

void print_page(const Page& page, std::ostream& to, const TerminalStyle& style) {
  Printer printer(to, style);
  printer.line(one_line(page.title));
  for (const std::string& text : wrapped(one_line(page.headline), style.width)) printer.line(printer.bold(text));
  for (std::size_t i = 0; i < page.parts.size(); ++i) {
    if (page.parts[i].rows.empty() && page.parts[i].sentences.empty()) continue;  // a figure alone
    const bool pair = page.parts[i].narrow && i + 1 < page.parts.size() && page.parts[i + 1].narrow;
    if (!pair) {
      printer.part(page.parts[i]);
      continue;
    }
    printer.parts(page.parts[i], page.parts[i + 1]);
    ++i;
  }
}

/// Blanks in front of a text, which show how deep it is in a tree, are kept.
std::string html_cell(const std::string& text) {
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  std::string out;
  for (std::size_t b = 0; b < blanks; ++b) out += "&nbsp;";
  return out + html(text.substr(blanks));
}

std::string html_part(const Part& part, const std::string& id) {
  std::string out = "<h2 id=\"" + id + "-title\">" + html(part.title) + "</h2>\n";
  if (!part.rows.empty()) {
    std::vector<HtmlColumn> columns;
    for (const TextTable::Column& column : part.columns) columns.push_back({column.title, {}, column.right});
    HtmlTable table(id, {}, columns);
    for (const std::vector<std::string>& row : part.rows) {
      std::vector<HtmlCell> cells;
      for (const std::string& cell : row)
        cells.push_back({html_cell(cell), true});  // markup: all rows stay in the page
      table.row(cells);
    }
    out += table.str();
  }
  if (!part.figure.empty())
    out += "<figure class=\"plot\"><div class=\"canvas\" tabindex=\"0\" role=\"group\" aria-label=\"Plot: " +
           html(part.title) + "\">" + part.figure + "</div></figure>\n";
  if (!part.sentences.empty()) {
    out += "<ul>";
    for (const std::string& sentence : part.sentences) out += "<li>" + html(sentence) + "</li>";
    out += "</ul>\n";
  }
  return out;
}

std::string html_page(const std::vector<Page>& pages) {
  std::string out;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const Page& page = pages[p];
    out += std::string(p == 0 ? "<section>" : "<section class=\"question\">") + "<h1>" + html(page.headline) +
           "</h1>\n<p class=\"lead\">" + html(page.title) + "</p>\n";
    for (std::size_t i = 0; i < page.parts.size(); ++i)
      out += html_part(page.parts[i], "look-" + std::to_string(p) + "-" + std::to_string(i));
    out += "</section>\n";
  }
  return html_document(pages.front().title + " – assay look", svg_style(), out);
}

}  // namespace assay::look
