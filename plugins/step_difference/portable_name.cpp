#include "portable_name.hpp"

#include <array>
#include <cctype>

#include "assay/detail/text.hpp"

namespace assay::difference {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "2ul" and "2" are one number, "false" and "0" one value; removes what only one demangler writes.
std::string_view plain(std::string_view word) {
  if (is_digit(word.front())) return word.substr(0, word.find_first_not_of("0123456789"));
  if (word == "true") return "1";
  if (word == "false") return "0";
  constexpr std::array<std::string_view, 3> kNothing{"void", "const", "unnamed"};
  for (const std::string_view nothing : kNothing) {
    if (word == nothing) return {};
  }
  return word;
}

/// Position after the bracket that closes the one at `at`.
std::size_t after_parentheses(std::string_view name, std::size_t at) {
  int depth = 0;
  for (; at < name.size(); ++at) {
    if (name[at] == '(') ++depth;
    if (name[at] == ')' && --depth == 0) return at + 1;
  }
  return at;
}

}  // namespace

std::string portable_name(std::string_view name) {
  constexpr std::string_view kInstance = "(instance ";
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] == '(' && name.substr(at).starts_with(kInstance)) {
      at += kInstance.size();
    } else if (name[at] == '(') {
      at = after_parentheses(name, at);
    } else if (is_word(name[at])) {
      std::size_t end = at;
      while (end < name.size() && is_word(name[end])) ++end;
      const std::string_view word = plain(name.substr(at, end - at));
      if (!word.empty()) out.append(out.empty() ? "" : " ").append(word);
      at = end;
    } else {
      ++at;
    }
  }
  return out;
}

std::string_view without_running_number(std::string_view name) {
  if (!name.starts_with("triton_")) return name;
  const std::size_t digits = name.find_last_not_of("0123456789");
  return digits + 1 < name.size() && name[digits] == '_' ? name.substr(0, digits) : name;
}

std::string_view portable_call(std::string_view name) {
  constexpr std::array<std::string_view, 3> kVendors{"cuda", "hip", "cu"};
  for (const std::string_view vendor : kVendors) {
    const std::string_view rest = name.starts_with(vendor) ? name.substr(vendor.size()) : std::string_view();
    if (!rest.empty() && std::isupper(static_cast<unsigned char>(rest.front())) != 0) return rest;
  }
  return name;
}

}  // namespace assay::difference
