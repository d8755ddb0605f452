// Tables in Markdown.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// A table that is written row by row; cells are escaped. Numbers align right.
class MarkdownTable {
 public:
  struct Column {
    std::string title;
    bool right = false;
  };
  explicit MarkdownTable(std::vector<Column> columns);
  void row(const std::vector<std::string>& cells);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace assay
