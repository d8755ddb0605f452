// Pieces of HTML: escaped text, tables, data for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "assay/output.hpp"
#include "files/staged_file.hpp"

namespace assay {

/// Any bytes as text of an element or a quoted attribute. A factor's sign stays on the line of its number.
std::string html(std::string_view text);

/// A part of an id or file name: letters, digits, '-' and '_' stay, all else becomes '-'.
std::string slug(std::string_view text);

/// An element that holds JSON for scripts: nothing in it can end the element.
std::string json_element(std::string_view id, const nlohmann::ordered_json& json);

/// Any bytes as base64.
std::string base64(std::string_view bytes);

/// A page that html_head began.
inline const files::OutputKind kHtmlPage{.name = "a page that assay wrote",
                                         .begins = "<!doctype html>",
                                         .mark = R"(<meta name="generator" content="assay">)"};

/// A page up to the end of its head, in the style of report.html and `style`. It fetches nothing and runs no script but
/// the one with this SHA-256 in base64; empty: none.
std::string html_head(std::string_view title, std::string_view style, std::string_view script = {});

/// A whole page without scripts; `content` is markup.
std::string html_document(std::string_view title, std::string_view style, std::string_view content);

/// "✓ supported": word and sign, so that nothing rests on colour.
std::string verdict_chip(Verdict verdict, std::string_view count = {});

/// A cell: text that is escaped, or markup that is not.
struct HtmlCell {
  std::string text;
  bool is_markup = false;
};

struct HtmlColumn {
  std::string title;
  std::string unit = {};  ///< empty: none
  bool number = false;
};

/// A table that scripts make sortable; without a caption the heading with the id ID-title names it. Rows beyond the
/// first `kWholeRows` stand in JSON, from which a script adds them, unless they hold markup.
class HtmlTable {
 public:
  static constexpr std::size_t kWholeRows = 15;

  HtmlTable(std::string id, std::string caption, std::vector<HtmlColumn> columns, std::string_view classes = "data");
  void row(const std::vector<HtmlCell>& cells);
  /// Rows beyond so many are only counted; `where` says where all are. Before the first row.
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
