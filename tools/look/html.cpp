#include "render/html/html.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "algo/page_sections.hpp"
#include "assay/quantity.hpp"
#include "look/print.hpp"
#include "render/format.hpp"
#include "render/plots/svg.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

/// Keeps leading blanks, which show the depth in a tree, and those that align numbers.
std::string cell_of(const std::string& text) {
  constexpr std::string_view kDigit = "\u2007", kPoint = "\u2008";  // blanks as wide as a digit and a point
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size()), end = text.find_last_not_of(' ') + 1;
  std::string out;
  for (std::size_t b = 0; b < first; ++b) out += "\u00a0";
  if (end > first) out += html(text.substr(first, end - first));
  const bool point = text.find('.') != std::string::npos;
  for (std::size_t b = std::max(first, end); b < text.size(); ++b)
    out += b == std::max(first, end) && !point ? kPoint : kDigit;
  return out;
}

/// Colour of a part of a whole, by its words; else by its place.
std::string colour_of_part(const std::string& name, std::size_t row) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"idle: host", "ih"},         {"idle: launch", "ih"}, {"idle", "io"},       {"host code", "ih"},
      {page::kCommunication, "cm"}, {"copies", "cp"},       {"memory sets", "cp"}};
  const auto at = std::ranges::find_if(kWords, [&](const auto& word) { return name.starts_with(word.first); });
  return at != std::end(kWords) ? std::string(at->second) : "k" + std::to_string(std::min<std::size_t>(row, 4));
}

/// A cell with its unit: "86.7 ms".
std::string cell_text_of(const PageSection& part, std::size_t row, std::size_t column) {
  const PartValues& values = part.values[column];
  const bool scaled =
      !values.numbers.empty() && std::isfinite(values.numbers[row]) && values.unit != "ratio" && values.unit != "1";
  std::string text = scaled ? quantity(values.numbers[row], values.unit) : part.rows[row][column];
  text.erase(text.find_last_not_of(' ') + 1);
  return text.erase(0, text.find_first_not_of(' '));
}

/// "86.7 ms · 40 %".
std::string amount_of(const PageSection& part, std::size_t row) {
  std::string out;
  for (std::size_t c = 1; c < std::min<std::size_t>(part.values.size(), 3); ++c)
    out += (out.empty() ? "" : " · ") + cell_text_of(part, row, c);
  return out;
}

/// Parts of a whole as one bar with their names in it; empty without shares.
std::string bar_of(const PageSection& part) {
  std::string out, said;
  for (std::size_t r = 0; r < part.shares.size(); ++r) {
    if (!(part.shares[r] > 0)) continue;
    const std::string& name = part.rows[r][0];
    const std::string amount = amount_of(part, r);
    const std::size_t letters = std::max(display_width(name), display_width(amount));
    const int needed = static_cast<int>(std::ceil((static_cast<double>(letters) * 6.6 + 18) / 8)) * 8;
    out += fmt::format(
        "<div class=\"{}\" style=\"flex:{} 0 0\" data-said=\"{}\"><span class=\"w{}\"><b>{}</b>{}</span></div>",
        colour_of_part(name, r), fixed(1e4 * part.shares[r], 1), html(name + ": " + amount), std::min(needed, 400),
        html(name), html(amount));
    said += fmt::format("{}{} {}", said.empty() ? "" : "; ", name, amount);
  }
  return out.empty() ? out
                     : fmt::format("<div class=\"parts\" role=\"img\" aria-label=\"{}\">{}</div>\n", html(said), out);
}

/// A bar as long as a number of a column among all; empty: it has none.
std::string meter_of(const PartValues& column, std::size_t row) {
  double most = 0;
  for (const double number : column.numbers) most = std::isfinite(number) ? std::max(most, number) : most;
  if (!(most > 0) || !std::isfinite(column.numbers[row])) return {};
  return fmt::format("<span class=\"hb\" style=\"width:{}%\"></span>", fixed(100 * column.numbers[row] / most, 1));
}

bool is_faster(std::string_view text, std::string_view word) {
  return text.ends_with(word) && text.find('x') < text.size() - word.size();
}

/// Whether a finding is not certain.
bool is_open(std::string_view headline) {
  return headline.starts_with("No ") || headline.starts_with("Cannot ") || headline.starts_with("Not ") ||
         headline.find("? (") != std::string_view::npos;
}

/// A headline; its first numbers in parentheses stand below it.
std::string title_of(const std::string& headline) {
  const std::size_t begin = headline.find(" ("), end = headline.find(')', begin);
  const std::size_t semicolon = headline.find("; ", begin);
  const bool split = end != std::string::npos && semicolon < end;
  std::string finding = split ? headline.substr(0, begin) + headline.substr(end + 1) : headline;
  if (const std::size_t open = finding.find("?:"); open != std::string::npos) finding.erase(open + 1, 1);
  return fmt::format(
      "<h1{}>{}</h1>\n{}", is_open(headline) ? " class=\"open\"" : "", html(finding),
      split ? fmt::format("<p class=\"lede\">{}</p>\n", html(headline.substr(begin + 2, end - begin - 2))) : "");
}

/// Rows whose first cell is in `links` link there; the first numbers of such a table are drawn as bars too.
std::string table_of(const PageSection& part, const std::string& id, const PageLinks& links, bool sortable) {
  if (part.rows.empty()) return {};
  const bool titled = std::ranges::any_of(part.columns, [](const auto& c) { return !c.title.empty(); });
  std::string out =
      fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table id=\"{}\"{}>",
                  html(part.title), id, sortable ? " class=\"sort\"" : "");
  const bool meters = sortable && part.values.size() > 1 && part.values[1].unit == "ns";
  if (titled) {
    out += "<thead><tr>";
    for (const TextTable::Column& column : part.columns)
      out += fmt::format("<{}{}>{}</{}>", column.title.empty() ? "td" : "th scope=\"col\"",
                         column.right ? " class=\"num\"" : "", html(column.title), column.title.empty() ? "td" : "th");
    out += std::string(meters ? "<td></td>" : "") + "</tr></thead>";
  }
  out += "<tbody>\n";
  constexpr std::size_t kWords = 40;  // characters of a cell that is broken into lines
  for (std::size_t r = 0; r < part.rows.size(); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < part.columns.size(); ++c) {
      const std::string& text = part.rows[r][c];
      const auto page = c == 0 ? links.find(text) : links.end();
      const std::string swatch =
          c > 0 || part.shares.empty() ? "" : "<i class=\"key " + colour_of_part(text, r) + "\"></i>";
      const std::string_view css = part.columns[c].right        ? " class=\"num\""
                                   : is_faster(text, " faster") ? " class=\"faster\""
                                   : is_faster(text, " slower") ? " class=\"slower\""
                                   : text.size() > kWords       ? " class=\"words\""
                                                                : "";
      out += fmt::format(
          "<td{}>{}{}</td>", css, swatch,
          page == links.end() ? cell_of(text) : fmt::format("<a href=\"#{}\">{}</a>", page->second, cell_of(text)));
    }
    if (meters) out += "<td class=\"in\">" + meter_of(part.values[1], r) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string advice_of(const std::vector<PageAdvice>& advice) {
  std::string out = "<ol class=\"try\">\n";
  for (const PageAdvice& one : advice) {
    const bool known = std::isfinite(one.share);
    out += fmt::format(
        "<li><div><p>{}</p>{}</div><div class=\"gain{}\">{}{}</div></li>\n", html(one.text),
        one.command.empty() ? "" : fmt::format("<div class=\"cmd\"><code>{}</code></div>", html(one.command)),
        known ? "" : " words", html(one.gain),
        known ? fmt::format("<span class=\"meter\"><i style=\"width:{}%\"></i></span>", fixed(100 * one.share, 1))
              : "");
  }
  return out + "</ol>\n";
}

/// "matmul 86.7 ms, 40 %": what a folded table begins with.
std::string summary_of(const PageSection& part) {
  constexpr std::size_t kMost = 100;
  if (part.rows.empty()) return part.sentences.empty() ? "" : shortened(one_line(part.sentences.front()), kMost);
  std::string out;
  std::size_t numbers = 0;
  if (!std::ranges::any_of(part.columns, &TextTable::Column::right)) {  // words and values
    for (const auto& row : part.rows) out += (out.empty() ? "" : ", ") + (row.size() > 1 ? row[1] : row[0]);
    return shortened(one_line(out), kMost);
  }
  for (std::size_t c = 0; c < part.columns.size() && numbers < 2; ++c) {
    const bool number = part.columns[c].right;
    if ((c > 0 && !number) || part.columns[c].spare || part.rows[0][c].empty()) continue;
    std::string text = number && c < part.values.size() ? cell_text_of(part, 0, c) : part.rows[0][c];
    text.erase(0, text.find_first_not_of(' '));
    out += (out.empty() ? "" : numbers == 0 ? " " : ", ") + text;
    numbers += number ? 1 : 0;
  }
  return out;
}

std::string content_of(const PageSection& part, const std::string& id, const PageLinks& links, bool sortable) {
  std::string out = bar_of(part);
  const bool plot = part.figure.starts_with("<svg");  // scrolls, so that its texts keep their size
  if (!part.figure.empty())
    out += plot ? fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Plot: {}\">{}</div>\n",
                              html(part.title), part.figure)
                : part.figure;
  if (!part.timeline.empty())
    out += fmt::format("<div class=\"under\">For ui.perfetto.dev: <div class=\"cmd\"><code>{}</code></div></div>\n",
                       html(part.timeline));
  out += table_of(part, id, links, sortable);
  if (!part.sentences.empty()) {
    out += "<ul class=\"notes\">";
    for (const std::string& sentence : part.sentences) out += "<li>" + html(sentence) + "</li>";
    out += "</ul>\n";
  }
  if (!part.advice.empty()) out += advice_of(part.advice);
  return out;
}

}  // namespace

std::string html_part(const PageSection& whole, const std::string& id, const PageLinks& links, bool folded) {
  PageSection part = with_units(with_small_rows_joined(whole));
  leave_out_what_says_nothing(part);
  const std::string content = content_of(part, id, links, !links.empty());
  if (folded)
    return fmt::format("<details><summary><b>{}</b><span>{}</span></summary><div class=\"in\">{}</div></details>\n",
                       html(part.title), html(summary_of(part)), content);
  return fmt::format("<section><div class=\"hd\"><h2 id=\"{0}-title\">{1}</h2></div>\n{2}</section>\n", id,
                     html(part.title), content);
}

namespace {

/// What leads, pictures, what the whole consists of, what to try; then, folded, the rest.
std::string html_parts(const Page& page, const std::string& id, const PageLinks& links, std::size_t opened) {
  std::vector<std::size_t> first, rest;
  const auto kind_of = [&links](const PageSection& part) {
    if (part.leads) return -1;
    if (!part.rows.empty() && part.columns.size() > 2 && links.contains(part.rows[0][0])) return 2;
    return part.picture                                                          ? 0
           : !part.shares.empty() || (part.rows.empty() && !part.figure.empty()) ? 1
           : !part.advice.empty()                                                ? 3
                                                                                 : 4;
  };
  for (int kind = -1; kind < 4; ++kind) {
    for (std::size_t p = 0; p < page.parts.size(); ++p) {
      const bool second_whole = kind == 1 && !first.empty() && kind_of(page.parts[first.back()]) == 1;
      if (kind_of(page.parts[p]) == kind && !second_whole) first.push_back(p);
    }
  }
  const bool has_picture = std::ranges::any_of(first, [&](std::size_t p) { return kind_of(page.parts[p]) == 0; });
  for (std::size_t p = 0; p < page.parts.size(); ++p) {
    if (std::ranges::find(first, p) == first.end()) rest.push_back(p);
  }
  constexpr std::size_t kOpen = 2;
  std::string out;
  const auto add = [&](std::size_t p, bool folded) {
    out += html_part(page.parts[p], id + "-" + std::to_string(p), links, folded);
  };
  for (const std::size_t p : first) add(p, false);
  const std::size_t open = !links.empty() ? 0 : std::min(has_picture ? opened : kOpen, rest.size());
  for (std::size_t r = 0; r < std::min(open, rest.size()); ++r) add(rest[r], false);
  if (rest.size() > open) out += "<section><div class=\"hd\"><h2>Details</h2></div>\n";
  for (std::size_t r = open; r < rest.size(); ++r) add(rest[r], true);
  return out + (rest.size() > open ? "</section>\n" : "");
}

}  // namespace

std::string html_page(const std::vector<Page>& pages, const std::string& command, std::size_t opened) {
  PageLinks links;
  for (std::size_t p = 1; p < pages.size(); ++p) links.emplace(pages[p].title, "profile-" + std::to_string(p));
  std::string out = title_of(pages.front().headline) + html_parts(pages.front(), "page", links, opened);
  if (pages.size() > 1) out += "<details><summary><b>Each profile</b></summary><div class=\"in\">\n";
  for (std::size_t p = 1; p < pages.size(); ++p)
    out += fmt::format(
        "<details id=\"profile-{0}\"><summary><b>{1}</b><span>{2}</span></summary><div "
        "class=\"in\">{3}</div></details>\n",
        p, html(pages[p].title), html(pages[p].headline), html_parts(pages[p], "profile-" + std::to_string(p), {}, 0));
  if (pages.size() > 1) out += "</div></details>\n";
  std::vector<std::string> top{"assay " + command, pages.front().title};
  top.insert(top.end(), pages.front().about.begin(), pages.front().about.end());
  return html_kit_document(pages.front().title + " – assay " + command, top, svg_style(), out);
}

}  // namespace assay::look
