#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

/// The nearest of `known` to `word` by edit distance, as " Did you mean 'x'?"; empty if none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace assay
