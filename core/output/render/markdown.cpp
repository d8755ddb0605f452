#include "render/markdown.hpp"

#include "render/text.hpp"

namespace assay {

MarkdownTable::MarkdownTable(std::vector<Column> columns) {
  std::string rule = "|";
  text_ = "|";
  for (const Column& column : columns) {
    text_ += " " + markdown(column.title) + " |";
    rule += column.right ? "---:|" : "---|";
  }
  text_ += "\n" + rule + "\n";
}

void MarkdownTable::row(const std::vector<std::string>& cells) {
  text_ += "|";
  for (const std::string& cell : cells) text_ += " " + markdown(cell) + " |";
  text_ += "\n";
}

}  // namespace assay
