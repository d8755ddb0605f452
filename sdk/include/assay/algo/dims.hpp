// Canonical dims of a fact, read back.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// Value of a key in canonical dims ("k=v;k=v", percent-encoded as in facts.csv), decoded; nothing when there is no
/// such key.
std::optional<std::string> dim_value(std::string_view dims, std::string_view key);

}  // namespace assay
