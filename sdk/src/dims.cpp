#include "assay/algo/dims.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

std::optional<std::string> dim_value(std::string_view dims, std::string_view key) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  const auto decoded = [&](std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool escape = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
      out += escape ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
      if (escape) i += 2;
    }
    return out;
  };
  while (!dims.empty()) {
    const std::string_view pair = dims.substr(0, dims.find(';'));
    dims.remove_prefix(std::min(dims.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && decoded(pair.substr(0, equals)) == key)
      return decoded(pair.substr(equals + 1));
  }
  return std::nullopt;
}

}  // namespace assay
