// Parses canonical dims of a fact.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// Decoded value of a key in canonical dims ("k=v;k=v", percent-encoded as in facts.csv); empty if there is no such
/// key.
std::optional<std::string> dim_value(std::string_view dims, std::string_view key);

}  // namespace assay
