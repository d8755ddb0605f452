// Bytes written as "%XX", as in a URI (RFC 3986, 2.1).
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Letters, digits and "-._~" (RFC 3986, 2.3), which have no special meaning anywhere in a URI.
bool is_unreserved(char c);

/// One byte as "%XX", with upper-case digits.
void append_percent(std::string& out, char byte);

/// Appends `bytes`, each as it is if `plain` is true for it, else as "%XX".
template <class Plain>
void append_percent_encoded(std::string& out, std::string_view bytes, const Plain& plain) {
  for (const char c : bytes) {
    if (plain(c))
      out += c;
    else
      append_percent(out, c);
  }
}

/// `path` as the path of a URI: keeps slashes and unreserved characters.
std::string uri_path(std::string_view path);

}  // namespace assay
