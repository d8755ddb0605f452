// Name patterns with placeholders: "gpu{gpu}_numa{numa}_vit{patch}x{depth}x{dim}".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result.hpp"

namespace assay {

/// Literal text, or the name of the label at this position.
struct PatternPart {
  bool placeholder;
  std::string text;
};
using Pattern = std::vector<PatternPart>;

/// Error: what is wrong with the text, as a predicate whose subject is the pattern ("has a '{' without ...").
Result<Pattern> parse_pattern(std::string_view text);

}  // namespace assay
