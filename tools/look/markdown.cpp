#include "look/markdown.hpp"

#include <fmt/core.h>

#include "look/print.hpp"
#include "render/markdown_parts.hpp"
#include "render/text.hpp"

namespace assay::look {

std::string markdown_of(const Page& page) {
  constexpr std::size_t kMaxRows = 8, kMaxSentences = 8;
  std::string text = "**" + markdown(page.headline) + "**\n\n", sentences;
  bool has_table = false;
  std::size_t said = 0;
  for (const PageSection& whole : page.parts) {
    PageSection part = with_units(whole);
    leave_out_what_says_nothing(part);
    if (!part.rows.empty() && !has_table) {
      has_table = true;
      std::vector<MarkdownTable::Column> columns;
      for (const TextTable::Column& column : part.columns) columns.push_back({column.title, column.right});
      MarkdownTable table(columns);
      for (std::size_t r = 0; r < std::min(part.rows.size(), kMaxRows); ++r) table.row(part.rows[r]);
      text += fmt::format("{}\n\n{}\n", markdown(part.title), table.text());
    }
    for (const PageAdvice& advice : part.advice) {
      if (++said <= kMaxSentences)
        sentences += fmt::format("- {} {} {}\n", markdown(advice.text), markdown(advice.gain),
                                 advice.command.empty() ? "" : "`" + one_line(advice.command) + "`");
    }
    for (const std::string& sentence : part.sentences) {
      if (++said <= kMaxSentences) sentences += fmt::format("- {}: {}\n", markdown(whole.title), markdown(sentence));
    }
  }
  return text + sentences;
}

}  // namespace assay::look
