// Explains terms of the reports at their first occurrence.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

struct GlossaryTerm {
  std::string_view word;        ///< as written in a sentence
  std::string_view definition;  ///< one sentence
};
std::span<const GlossaryTerm> glossary();

/// HTML in which the first occurrence of each term in text shows its definition; not in tags, drawings, scripts or
/// elements that already show one.
std::string with_glossary(std::string_view markup);

}  // namespace assay
