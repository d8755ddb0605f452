#include "files/percent.hpp"

namespace assay {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

void append_percent(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  out += {'%', kDigits[value >> 4U], kDigits[value & 15U]};
}

std::string uri_path(std::string_view path) {
  std::string out;
  append_percent_encoded(out, path, [](char c) { return c == '/' || is_unreserved(c); });
  return out;
}

}  // namespace assay
