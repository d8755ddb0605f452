// Builds HTML: escaped text, tables, data for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "assay/output.hpp"
#include "files/staged_file.hpp"

namespace assay {

/// Any bytes as text of an element or quoted attribute. Keeps the sign of a factor on the line of its number.
std::string html(std::string_view text);

/// Part of an id or file name: keeps letters, digits, '-' and '_', replaces everything else by '-'.
std::string slug(std::string_view text);

/// An element with JSON for scripts, escaped so that it cannot end the element.
std::string json_element(std::string_view id, const nlohmann::ordered_json& json);

/// Any bytes as base64.
std::string base64(std::string_view bytes);

/// A page that starts with html_head.
inline const files::OutputKind kHtmlPage{.name = "a page that assay wrote",
                                         .begins = "<!doctype html>",
                                         .mark = R"(<meta name="generator" content="assay">)"};

/// A page up to the end of its head. Fetches nothing and runs only the script with this SHA-256 in base64; empty: none.
std::string html_head(std::string_view title, std::string_view style, std::string_view script = {});

/// A complete page of the kit of parts (assets/page.css, page.js); `content` is markup. `top`: the line over it.
std::string html_kit_document(std::string_view title, const std::vector<std::string>& top, std::string_view style,
                              std::string_view content);

/// The base64 of bytes in hexadecimal.
std::string base64_of_hex(std::string_view hex);

/// A complete page without scripts; `content` is markup.
std::string html_document(std::string_view title, std::string_view style, std::string_view content);

/// "✓ supported": word and symbol, so that colour is not needed.
std::string verdict_chip(Verdict verdict, std::string_view count = {});

/// A cell: text to escape, or markup.
struct HtmlCell {
  std::string text;
  bool is_markup = false;
};

struct HtmlColumn {
  std::string title;
  std::string unit = {};  ///< empty: none
  bool number = false;
};

/// A table that a script makes sortable; without a caption it is named by the heading with the id ID-title. Rows beyond
/// the first `kWholeRows` are stored as JSON, from which a script adds them, unless they contain markup.
class HtmlTable {
 public:
  static constexpr std::size_t kWholeRows = 15;

  HtmlTable(std::string id, std::string caption, std::vector<HtmlColumn> columns, std::string_view classes = "data");
  void row(const std::vector<HtmlCell>& cells);
  /// Counts rows beyond this number instead of adding them; `where` says where all are. Call before the first row.
  void at_most(std::size_t rows, std::string where);
  [[nodiscard]] std::string str() const;

 private:
  std::string id_, caption_, classes_;
  std::vector<HtmlColumn> columns_;
  std::string rows_;
  std::size_t count_ = 0, most_ = static_cast<std::size_t>(-1);
  std::string where_;
  nlohmann::ordered_json rest_ = nlohmann::ordered_json::array();
};

}  // namespace assay
