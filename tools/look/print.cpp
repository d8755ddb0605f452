#include "look/print.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "assay/words.hpp"
#include "render/format.hpp"
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

constexpr std::size_t kIndent = 2, kGap = 2;
constexpr std::size_t kMinWords = 24;   // min width of a wrapped last column
constexpr std::size_t kShortName = 28;  // of rows, before a column goes that is not spare

/// Width of the rows; words at their end may be wrapped.
std::size_t width_of(const PageSection& part) {
  const std::vector<std::size_t> widths = widths_of(part);
  std::size_t all = kIndent - kGap;
  for (const std::size_t width : widths) all += kGap + width;
  if (!part.columns.back().right) all -= widths.back() - std::min(widths.back(), kMinWords);
  return all;
}

void erase_column(PageSection& part, std::size_t c) {
  const auto at = static_cast<std::ptrdiff_t>(c);
  part.columns.erase(part.columns.begin() + at);
  for (auto& row : part.rows) row.erase(row.begin() + at);
  if (c < part.values.size()) part.values.erase(part.values.begin() + at);
}

/// Whether a column says nothing: no cell has a value, or all rows the same word; a spare one: the same number.
bool says_nothing(const PageSection& part, std::size_t c) {
  constexpr std::size_t kMany = 3;   // rows, from which on a word in each is no news
  constexpr std::size_t kWord = 24;  // characters; a longer text is not only a word
  const auto all = [&](std::string_view text) {
    return std::ranges::all_of(part.rows, [&](const auto& row) { return row[c] == text; });
  };
  const bool news = part.columns[c].right && !part.columns[c].spare;
  return all("") || all(kNotKnown) ||
         (!news && part.rows.size() >= kMany && part.rows[0][c].size() <= kWord && all(part.rows[0][c]));
}

/// Takes off names the folder that all are in, and the extension that all have.
void drop_common_ends(PageSection& part) {
  const std::string& first = part.rows.front().front();
  std::size_t folder = first.rfind('/') + 1;  // 0: none
  for (const auto& row : part.rows) {
    while (folder > 0 && !row[0].starts_with(first.substr(0, folder)))
      folder = folder < 2 ? 0 : first.rfind('/', folder - 2) + 1;
  }
  for (auto& row : part.rows) row[0].erase(0, folder);
  const std::string name = part.rows.front().front();
  for (std::size_t dot = name.find('.'); dot != std::string::npos && part.rows.size() > 1;
       dot = name.find('.', dot + 1)) {
    const std::string end = name.substr(dot);
    if (!std::ranges::all_of(part.rows, [&](const auto& row) { return row[0].ends_with(end); })) continue;
    for (auto& row : part.rows) row[0].erase(row[0].size() - end.size());
    return;
  }
}

/// Leaves out what does not fit: spare columns, then others, from the right. Numbers are never cut; names take at most
/// half of the width. Returns how many columns had no room.
std::size_t fit(PageSection& part, std::size_t width) {
  if (part.rows.empty()) return 0;
  if (!has_titles(part)) {  // pairs of words and values, which go below each other
    while (part.columns.size() > 2 && width_of(part) > width) {
      PageSection pairs = part;
      pairs.columns.resize(2);
      pairs.rows.clear();
      for (std::size_t c = 0; c < part.columns.size(); c += 2) {
        for (const auto& row : part.rows) pairs.rows.push_back({row[c], row[c + 1]});
      }
      part = std::move(pairs);
    }
    return 0;
  }
  const auto shorten_names = [&](std::size_t most) {
    for (auto& row : part.rows) {
      if (width_of(part) > width) row[0] = shortened(one_line(row[0]), most);
    }
  };
  if (width_of(part) > width) drop_common_ends(part);
  shorten_names(width / 2);
  std::size_t gone = 0;
  for (const bool spare : {true, false}) {
    if (!spare) shorten_names(kShortName);
    for (std::size_t c = part.columns.size(); c-- > 1 && width_of(part) > width;) {
      if (spare && !part.columns[c].spare) continue;
      erase_column(part, c);
      ++gone;
    }
  }
  return gone;
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

/// A command on lines that a shell joins again.
std::vector<std::string> command_lines(const std::string& command, std::size_t width) {
  std::vector<std::string> lines = wrapped(command, width - 4);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    if (l > 0) lines[l].insert(0, "  ");
    if (l + 1 < lines.size()) lines[l] += " \\";
  }
  return lines;
}

/// "  1  pinned memory   -16.3 ms, 31 %", and below it the command.
void add_advice(const std::vector<PageAdvice>& advice, std::size_t width, std::vector<std::string>& lines) {
  constexpr std::size_t kNumber = 5;
  std::size_t gain = 0;
  for (const PageAdvice& one : advice) gain = std::max(gain, display_width(one.gain));
  const std::size_t left = width - kNumber - (gain > 0 ? gain + kGap : 0);
  for (std::size_t a = 0; a < advice.size(); ++a) {
    std::vector<std::string> own = wrapped(one_line(advice[a].text), left);
    if (!advice[a].gain.empty())
      own[0] = padded(own[0], left + kGap) + padded("", gain - display_width(advice[a].gain)) + advice[a].gain;
    for (const std::string& line : command_lines(one_line(advice[a].command), width - kNumber)) own.push_back(line);
    for (std::size_t l = 0; l < own.size(); ++l)
      lines.push_back(padded(l == 0 ? filled("  {}", {std::to_string(a + 1)}) : "", kNumber) + own[l]);
  }
}

/// Lines of a section below its title, at most `width` columns wide if words can be broken; its table has been fitted.
std::vector<std::string> body(const PageSection& part, std::size_t width) {
  std::vector<std::string> lines;
  if (!part.rows.empty()) add_table(part, width, lines);
  for (const std::string& sentence : part.sentences) {
    bool first = true;
    for (const std::string& line : wrapped(one_line(sentence), width - 4)) {
      lines.push_back((first ? "  - " : "    ") + line);
      first = false;
    }
  }
  add_advice(part.advice, width, lines);
  return lines;
}

class Printer {
 public:
  Printer(std::ostream& to, const TerminalStyle& style, std::size_t rows, std::string_view all)
      : to_(to), style_(style), rows_(rows), all_(all) {}

  void line(const std::string& text = {}) { to_ << text << "\n"; }
  [[nodiscard]] std::string bold(const std::string& text) const {
    return style_.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
  }

  void part(const PageSection& whole) {
    const PageSection part = fitted(whole);
    line();
    for (const std::string& text : wrapped(one_line(part.title), style_.width)) line(bold(text));
    for (const std::string& text : body(part, style_.width)) line(text);
    if (whole.rows.size() > rows_ + 1)
      line(filled("  and {} more: {}", {std::to_string(whole.rows.size() - rows_), std::string(all_)}));
  }

  /// Side by side if they fit, else one below the other.
  void parts(const PageSection& left_part, const PageSection& right_part) {
    const PageSection left = fitted(left_part), right = fitted(right_part);
    const std::vector<std::string> a = body(left, style_.width), b = body(right, style_.width);
    std::size_t width = display_width(left.title), other = display_width(right.title);
    for (const std::string& text : a) width = std::max(width, display_width(text));
    for (const std::string& text : b) other = std::max(other, display_width(text));
    width = std::max(width + kBetween, style_.width / 2);
    if (width + other > style_.width) {
      part(left_part);
      return part(right_part);
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

  /// What the width had no room for.
  void end() {
    if (gone_ > 0) line("\n" + filled("+{}: --wide", {counted(gone_, "column")}));
  }

 private:
  PageSection fitted(const PageSection& whole) {
    PageSection part = with_units(with_small_rows_joined(whole));
    leave_out_what_says_nothing(part);
    if (part.rows.size() > rows_ + 1) part.rows.resize(rows_);
    gone_ += fit(part, style_.wide ? std::numeric_limits<std::size_t>::max() / 2 : style_.width);
    return part;
  }

  std::ostream& to_;
  const TerminalStyle& style_;
  std::size_t rows_, gone_ = 0;
  std::string_view all_;
};

}  // namespace

void leave_out_what_says_nothing(PageSection& part) {
  if (part.rows.empty() || !has_titles(part)) return;
  for (std::size_t c = part.columns.size(); c-- > 1;) {
    if (says_nothing(part, c)) erase_column(part, c);
  }
}

void print_page(const Page& page, std::ostream& to, const TerminalStyle& style, std::size_t rows,
                std::string_view all) {
  Printer printer(to, style, rows, all);
  printer.line(one_line(page.title));
  for (const std::string& text : wrapped(one_line(page.headline), style.width)) printer.line(printer.bold(text));
  for (std::size_t i = 0; i < page.parts.size(); ++i) {
    if (is_figure(page.parts[i])) continue;
    const bool pair = page.parts[i].narrow && i + 1 < page.parts.size() && page.parts[i + 1].narrow;
    if (!pair) {
      printer.part(page.parts[i]);
      continue;
    }
    printer.parts(page.parts[i], page.parts[i + 1]);
    ++i;
  }
  printer.end();
}

}  // namespace assay::look
