#include "look/print.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "render/format.hpp"
#include "render/html/html.hpp"
#include "render/plots/palette.hpp"
#include "render/plots/svg.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kBetween = 4;  // columns between two sections side by side

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has_titles(const PageSection& part) {
  return std::any_of(part.columns.begin(), part.columns.end(), [](const auto& c) { return !c.title.empty(); });
}

std::vector<std::size_t> widths_of(const PageSection& part) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    widths.push_back(display_width(part.columns[c].title));
    for (const auto& row : part.rows) widths.back() = std::max(widths.back(), display_width(one_line(row[c])));
  }
  return widths;
}

/// The columns of `part` at these indices.
PageSection with_columns(const PageSection& part, const std::vector<std::size_t>& places) {
  PageSection out;
  out.rows.resize(part.rows.size());
  for (const std::size_t c : places) {
    out.columns.push_back(part.columns[c]);
    for (std::size_t r = 0; r < part.rows.size(); ++r) out.rows[r].push_back(part.rows[r][c]);
  }
  return out;
}

constexpr std::size_t kIndent = 2, kGap = 2;
constexpr std::size_t kMinWords = 24;  // min width of a wrapped last column

/// Splits the table into blocks of at most `width`, one below the other; each begins with the row names, which take at
/// most half of it. Keeps untitled pairs of words and values together.
std::vector<PageSection> blocks_of(PageSection part, std::size_t width) {
  std::vector<std::size_t> widths = widths_of(part);
  const std::size_t last = part.columns.size() - 1;
  // Words at the end of a row are wrapped.
  const auto taken = [&](std::size_t c) {
    return kGap + (c == last && !part.columns[c].right ? std::min(widths[c], kMinWords) : widths[c]);
  };
  std::size_t all = kIndent - kGap;
  for (std::size_t c = 0; c <= last; ++c) all += taken(c);
  if (all <= width || last == 0) return {std::move(part)};
  const bool titled = has_titles(part);
  if (titled && widths[0] > width / 2) {
    widths[0] = width / 2;
    for (auto& row : part.rows) row[0] = shortened(one_line(row[0]), widths[0]);
  }
  std::vector<PageSection> blocks;
  const std::size_t step = titled ? 1 : 2;
  for (std::size_t c = titled ? 1 : 0; c <= last;) {
    std::vector<std::size_t> places;
    std::size_t used = kIndent - kGap;
    if (titled) {
      places.push_back(0);
      used += taken(0);
    }
    const std::size_t names = places.size();
    for (; c <= last; c += step) {
      std::size_t more = 0;
      for (std::size_t i = c; i < std::min(c + step, last + 1); ++i) more += taken(i);
      if (places.size() > names && used + more > width) break;
      used += more;
      for (std::size_t i = c; i < std::min(c + step, last + 1); ++i) places.push_back(i);
    }
    blocks.push_back(with_columns(part, places));
  }
  return blocks;
}

/// Lines of a table that fits; a last column of words takes the remaining width, on its own lines if that is too
/// narrow.
void add_table(const PageSection& part, std::size_t width, std::vector<std::string>& lines) {
  const std::vector<TextTable::Column>& columns = part.columns;
  const std::vector<std::size_t> widths = widths_of(part);
  std::size_t before = kIndent;
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) before += widths[c] + kGap;
  const bool wraps = !columns.back().right;
  const std::size_t left = wraps && width >= before + kMinWords ? width - before : 0;
  TextTable table(columns);
  for (const auto& row : part.rows) {
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
  table.print(text, kIndent);
  std::vector<std::string> own = lines_of(text.str());
  lines.insert(lines.end(), own.begin() + (has_titles(part) ? 0 : 1), own.end());
}

/// Lines of a section below its title, at most `width` columns wide if words can be broken.
std::vector<std::string> body(const PageSection& part, std::size_t width) {
  std::vector<std::string> lines;
  if (!part.rows.empty()) {
    for (const PageSection& block : blocks_of(part, width)) add_table(block, width, lines);
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
  Printer(std::ostream& to, const TerminalStyle& style, std::size_t rows) : to_(to), style_(style), rows_(rows) {}

  void line(const std::string& text = {}) { to_ << text << "\n"; }
  [[nodiscard]] std::string bold(const std::string& text) const {
    return style_.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
  }

  void part(const PageSection& whole) {
    PageSection part = whole;
    if (part.rows.size() > rows_ + 1) part.rows.resize(rows_);
    line();
    line(bold(one_line(part.title)));
    for (const std::string& text : body(part, style_.width)) line(text);
    if (part.rows.size() < whole.rows.size())
      line("  and " + std::to_string(whole.rows.size() - part.rows.size()) + " more (all with -o)");
  }

  /// Side by side if they fit, else one below the other.
  void parts(const PageSection& left, const PageSection& right) {
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
  std::size_t rows_;
};

}  // namespace

void print_page(const Page& page, std::ostream& to, const TerminalStyle& style, std::size_t rows) {
  Printer printer(to, style, rows);
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

/// Keeps leading blanks, which show the depth in a tree.
std::string html_cell(const std::string& text) {
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  std::string out;
  for (std::size_t b = 0; b < blanks; ++b) out += "&nbsp;";
  return out + html(text.substr(blanks));
}

namespace {

/// Shares as a coloured bar, whose colours the first cells of the rows repeat; empty without shares.
std::string bar_of(const PageSection& part) {
  std::string out;
  for (std::size_t r = 0; r < part.shares.size(); ++r) {
    if (!(part.shares[r] >= 0.005)) continue;
    out += fmt::format("<i class=\"s{}\" style=\"width:{}%\"></i>", colour_of(r), fixed(100 * part.shares[r], 1));
  }
  return out.empty() ? out : "<div class=\"bar\" aria-hidden=\"true\">" + out + "</div>\n";
}

/// Markup of the first cell of a row: the swatch of its part of the bar, and a link to the page of the profile that it
/// names.
std::string first_cell(const PageSection& part, std::size_t row, const PageLinks& links) {
  const std::string& text = part.rows[row].front();
  const std::string swatch =
      part.shares.empty() ? "" : "<i class=\"swatch s" + std::to_string(colour_of(row)) + "\"></i>";
  const auto page = links.find(text);
  return page == links.end() ? swatch + html_cell(text)
                             : fmt::format("{}<a href=\"#{}\">{}</a>", swatch, page->second, html_cell(text));
}

}  // namespace

std::string html_part(const PageSection& part, const std::string& id, const PageLinks& links) {
  std::string out = fmt::format("<h2 id=\"{}-title\">{}</h2>\n{}", id, html(part.title), bar_of(part));
  if (!part.rows.empty()) {
    std::vector<HtmlColumn> columns;
    for (const TextTable::Column& column : part.columns) columns.push_back({column.title, {}, column.right});
    HtmlTable table(id, {}, columns);
    for (std::size_t r = 0; r < part.rows.size(); ++r) {
      std::vector<HtmlCell> cells;
      for (const std::string& cell : part.rows[r])
        cells.push_back({cells.empty() ? first_cell(part, r, links) : html_cell(cell), true});  // cells contain markup,
                                                                                                // so no rows are
                                                                                                // dropped
      table.row(cells);
    }
    out += table.str();
  }
  if (!part.figure.empty())
    out += fmt::format(
        "<figure class=\"plot\"><div class=\"canvas\" tabindex=\"0\" role=\"group\" aria-label=\"Plot: "
        "{}\">{}</div></figure>\n",
        html(part.title), part.figure);
  if (!part.sentences.empty()) {
    out += "<ul>";
    for (const std::string& sentence : part.sentences) out += "<li>" + html(sentence) + "</li>";
    out += "</ul>\n";
  }
  return out;
}

namespace {

/// Whether a section fits half of a wide page.
bool fits_half(const PageSection& part) {
  constexpr std::size_t kHalf = 80, kPadding = 3;  // in characters of the table
  if (!part.figure.empty() || part.rows.empty()) return false;
  std::size_t all = 0;
  for (const std::size_t width : widths_of(part)) all += width + kPadding;
  return all <= kHalf;
}

/// Sections that fit half of the page go into two columns, the others span both.
std::string html_parts(const Page& page, const std::string& id, const PageLinks& links) {
  std::string out = "<div class=\"parts\">\n";
  for (std::size_t i = 0; i < page.parts.size(); ++i) {
    const bool half = fits_half(page.parts[i]);
    const bool pair = half && i + 1 < page.parts.size() && fits_half(page.parts[i + 1]);
    out += pair ? "<div>" : "<div class=\"whole\">";
    out += html_part(page.parts[i], id + "-" + std::to_string(i), links) + "</div>\n";
    if (pair) {
      ++i;
      out += "<div>" + html_part(page.parts[i], id + "-" + std::to_string(i), links) + "</div>\n";
    }
  }
  return out + "</div>\n";
}

/// Of `.parts`, of bars (a style of `.bar` alone would give the bars of plots its height), and of the names of rows,
/// which stay in sight when a narrow screen scrolls the numbers.
std::string page_style() {
  std::string out =
      ".parts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.6rem 2.4rem;align-items:start}"
      ".parts>div{min-width:0}.parts .whole{grid-column:1/-1}.parts h2{font-size:1.1rem;margin:1rem 0 .4rem}"
      ".parts table{width:100%}.parts .whole table{width:auto}"
      "div.bar{display:flex;height:1.1rem;margin:.2rem 0 .5rem;background:var(--none-ground);border-radius:.2rem;"
      "overflow:hidden;print-color-adjust:exact;-webkit-print-color-adjust:exact}div.bar i{display:block}"
      ".swatch{display:inline-block;width:.7em;height:.7em;border-radius:.15em;margin-right:.5em;"
      "print-color-adjust:exact;-webkit-print-color-adjust:exact}"
      "@media(max-width:62rem){.parts{display:block}}"
      "@media(max-width:44rem){.parts td:first-child{min-width:6.5rem;max-width:11rem;position:sticky;left:0;"
      "background:var(--ground)}}";
  std::string dark;
  for (std::size_t c = 0; c < kSeriesColours; ++c) {
    const std::string name = ".s" + std::to_string(c) + "{background:";
    out += name + std::string(kOnLight[c]) + "}";
    dark += name + std::string(kOnDark[c]) + "}";
  }
  return fmt::format("{}@media(prefers-color-scheme:dark){{{}}}", out, dark);
}

}  // namespace

std::string html_page(const std::vector<Page>& pages) {
  PageLinks links;
  for (std::size_t p = 1; p < pages.size(); ++p) links.emplace(pages[p].title, "profile-" + std::to_string(p));
  std::string out;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const Page& page = pages[p];
    out += p == 0 ? "<section id=\"all\">" : "<section class=\"question\" id=\"profile-" + std::to_string(p) + "\">";
    out += fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}{}</p>\n", html(page.headline), html(page.title),
                       p == 0 ? "" : " <a class=\"small\" href=\"#all\">all profiles</a>");
    out += html_parts(page, "look-" + std::to_string(p), links) + "</section>\n";
  }
  return html_document(pages.front().title + " – assay look", svg_style() + page_style(), out);
}

}  // namespace assay::look
