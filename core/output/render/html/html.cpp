#include "render/html/html.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "files/utf8.hpp"
#include "render/html/assets.hpp"
#include "render/plots/svg.hpp"

namespace assay {

std::string html(std::string_view text) {
  constexpr std::string_view factor = "× ", unbroken = "×\u00a0";
  constexpr std::string_view to = " -&gt; ", arrow = " → ";
  std::string out = xml(text);
  for (std::size_t at = 0; (at = out.find(to, at)) != std::string::npos;) out.replace(at, to.size(), arrow);
  for (std::size_t at = 0; (at = out.find(factor, at)) != std::string::npos;) out.replace(at, factor.size(), unbroken);
  return out;
}

std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    out += plain ? c : '-';
  }
  return out;
}

std::string json_element(std::string_view id, const nlohmann::ordered_json& json) {
  std::string out = "<script type=\"application/json\" id=\"" + std::string(id) + "\">";
  for (const char c : json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out + "</script>\n";
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : bytes) {
    buffer = (buffer << 8) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) out += letters[(buffer >> (bits - 6)) & 63];
  }
  if (bits > 0) out += letters[(buffer << (6 - bits)) & 63];
  while (out.size() % 4 != 0) out += '=';
  return out;
}

std::string html_head(std::string_view title, std::string_view style, std::string_view script) {
  return fmt::format(
      "{}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; {}style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n{}\n<title>{}</title>\n<style>\n{}\n</style>\n</head>\n",
      kHtmlPage.begins, script.empty() ? "" : "script-src 'sha256-" + std::string(script) + "'; ",
      std::string(kHtmlPage.mark), html(title), std::string(style));
}

std::string html_document(std::string_view title, std::string_view style, std::string_view content) {
  return fmt::format("{}<body>\n<main id=\"main\" class=\"layout\">\n{}</main>\n</body>\n</html>\n",
                     html_head(title, std::string(kReportStyle) + ".layout{display:block}" + std::string(style)),
                     std::string(content));
}

std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(digits.find(hex[i]) * 16 + digits.find(hex[i + 1]));
  return base64(bytes);
}

std::string html_kit_document(std::string_view title, const std::vector<std::string>& top, std::string_view style,
                              std::string_view content) {
  std::string head;
  for (const std::string& one : top)
    head += head.empty() ? "<b>" + html(one) + "</b>" : "<span>" + html(one) + "</span>";
  return fmt::format(
      "{}<body><a class=\"skip\" href=\"#main\">Skip to the content</a><div class=\"page\"><header "
      "class=\"top\">{}</header>\n<main id=\"main\">\n{}</main>\n<footer>Made by assay. This page loads nothing and "
      "sends "
      "nothing.</footer></div>\n<script>{}</script>\n</body>\n</html>\n",
      html_head(title, std::string(kPageStyle) + std::string(style), base64_of_hex(kPageScriptSha256)), head,
      std::string(content), std::string(kPageScript));
}

std::string verdict_chip(Verdict verdict, std::string_view count) {
  constexpr std::string_view signs[] = {"✓", "✗", "≈", "–"};
  const std::string name(verdict_name(verdict));
  std::string words = count.empty() ? name : std::string(count) + " " + name;
  return fmt::format("<span class=\"chip {}\"><span aria-hidden=\"true\">{}</span> {}</span>", name,
                     std::string(signs[static_cast<std::size_t>(verdict)]), words);
}

HtmlTable::HtmlTable(std::string id, std::string caption, std::vector<HtmlColumn> columns, std::string_view classes)
    : id_(std::move(id)), caption_(std::move(caption)), classes_(classes), columns_(std::move(columns)) {}

void HtmlTable::at_most(std::size_t rows, std::string where) {
  most_ = rows;
  where_ = std::move(where);
}

void HtmlTable::row(const std::vector<HtmlCell>& cells) {
  if (count_ >= most_) {
    ++count_;
    return;
  }
  const bool plain = std::none_of(cells.begin(), cells.end(), [](const HtmlCell& cell) { return cell.is_markup; });
  if (++count_ > kWholeRows && plain) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (const HtmlCell& cell : cells) row.push_back(to_utf8(cell.text));
    rest_.push_back(std::move(row));
    return;
  }
  rows_ += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows_ += columns_[i].number ? "<td class=\"num\"" : "<td";
    rows_ += classes_ == "claims" ? " data-label=\"" + html(columns_[i].title) + "\">" : ">";
    rows_ += cells[i].is_markup ? cells[i].text : html(cells[i].text);
    rows_ += "</td>";
  }
  rows_ += "</tr>\n";
}

std::string HtmlTable::str() const {
  std::string out = fmt::format("<div class=\"scroll\" tabindex=\"0\"><table class=\"{}\" id=\"{}\"", classes_, id_);
  const std::string rest_id = id_ + "-rest";
  if (!rest_.empty()) out += " data-rest=\"" + rest_id + "\"";
  out += caption_.empty() ? " aria-labelledby=\"" + id_ + "-title\">" : "><caption>" + html(caption_) + "</caption>";
  out += "<thead><tr>";
  for (const HtmlColumn& column : columns_) {
    out += column.number ? "<th scope=\"col\" class=\"num\">" : "<th scope=\"col\">";
    out += html(column.title);
    if (!column.unit.empty()) out += " <span class=\"unit\">(" + html(column.unit) + ")</span>";
    out += "</th>";
  }
  out += "</tr></thead><tbody>\n" + rows_ + "</tbody></table></div>\n";
  if (rest_.empty()) return out;
  return fmt::format(
      "{}<p class=\"small rest-note\">The first {} of {} rows are shown; sorting or filtering shows {}.</p>\n{}", out,
      kWholeRows, count_,
      count_ <= most_ ? std::string("the others")
                      : "those up to " + std::to_string(most_) + ", and all are in " + html(where_),
      json_element(rest_id, rest_));
}

}  // namespace assay
