// The few words of the reports that not every reader knows, explained where they come first.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

struct GlossaryTerm {
  std::string_view word;        ///< as it stands in a sentence
  std::string_view definition;  ///< one sentence
};
std::span<const GlossaryTerm> glossary();

/// HTML in which each term shows its definition where it first stands in text: not in tags, drawings, scripts or what
/// shows a definition already.
std::string with_glossary(std::string_view markup);

}  // namespace assay
