#include "config/version.hpp"

#include <charconv>

namespace assay {

std::optional<Version> read_version(std::string_view text) {
  Version version{};
  for (std::size_t part = 0; part < version.size(); ++part) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version[part]);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return version;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

bool will_do(const Version& version, const Version& least) { return version[0] == least[0] && version >= least; }

}  // namespace assay
