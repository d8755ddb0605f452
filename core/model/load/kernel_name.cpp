#include "load/kernel_name.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "assay/detail/text.hpp"

namespace assay::load {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}
std::string demangled(std::string_view name) {
  if (!name.starts_with("_Z")) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : std::string(name);
}

void erase_all(std::string& text, std::string_view part) {
  std::string kept;
  std::size_t from = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, from)) {
    kept.append(text, from, at - from);
    from = at + part.size();
  }
  text = kept.append(text, from);
}

/// Removes anonymous namespaces, which demanglers write in different ways; ncu may lose the first '<'.
void erase_anonymous(std::string& text) {
  for (const std::string_view mark : {"(anonymous namespace)::", "<unnamed>::", "{anonymous}::", "unnamed>::"}) {
    erase_all(text, mark);
  }
}

/// Bracket depth of each byte; a bracket counts as outside of what it opens.
class Depth {
 public:
  /// Whether `c`, the byte after `before`, is outside of all brackets.
  bool outside(char c, char before) {
    const bool closes = c == ')' || c == ']' || c == '}' || (c == '>' && before != '-');
    if (closes && depth_ > 0) --depth_;
    const bool outside = depth_ == 0;
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth_;
    return outside;
  }

 private:
  int depth_ = 0;
};

/// The function without parameters, return type and namespaces: "kernel<int, 4>".
std::string_view function_of(std::string_view text) {
  std::size_t begin = 0, end = text.size();
  Depth depth;
  char before = 0;
  for (std::size_t i = 0; i < text.size(); before = text[i], ++i) {
    if (!depth.outside(text[i], before)) continue;
    if (text[i] == '(' && i > begin) {
      end = i;
      break;
    }
    const bool namespace_ends = text[i] == ':' && before == ':';
    if ((text[i] == ' ' || namespace_ends) && i + 1 < text.size() && text[i + 1] != '(') begin = i + 1;
  }
  return text.substr(begin, end - begin);
}

/// Position after the ')' that closes the '(' at `at`; npos if it is not near, since a cast is short.
std::size_t after_cast(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 64;
  int depth = 0;
  for (std::size_t i = at; i < std::min(text.size(), at + kLongest); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

/// Rewrites NVIDIA's "[lambda(float) (instance 1)]" as "{lambda(float)#1}" of other demanglers.
std::string with_common_lambdas(std::string_view text) {
  constexpr std::string_view kLambda = "[lambda", kInstance = "(instance ";
  std::string out;
  while (true) {
    const std::size_t at = text.find(kLambda);
    const std::size_t instance = at == std::string_view::npos ? at : text.find(kInstance, at);
    const std::size_t end = instance == std::string_view::npos ? instance : text.find(")]", instance);
    if (end == std::string_view::npos) return out.append(text);
    const std::size_t digits = instance + kInstance.size();
    out.append(text.substr(0, at)).append("{").append(text.substr(at + 1, instance - at - 1));
    out.append("#").append(text.substr(digits, end - digits)).append("}");
    text.remove_prefix(end + 2);
  }
}

/// Removes parameter lists of functions, which NVIDIA abbreviates ("T1"), and casts; keeps those of lambdas.
std::string without_parameters(std::string_view text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    const bool opens = c == '(' && (depth > 0 || !out.ends_with("lambda"));
    if (opens) ++depth;
    if (depth == 0) out += c;
    if (c == ')' && depth > 0) --depth;
  }
  return out;
}

/// A number without its suffix, a word without additions of some demanglers.
std::string_view common_word(std::string_view word) {
  if (word == "const" || word == "void") return {};
  if (word == "true" || word == "false") return word == "true" ? "1" : "0";
  if (is_digit(word.front())) return word.substr(0, std::min(word.find_first_of("uUlL"), word.size()));
  return word;
}

std::string common_spelling(std::string_view arguments) {
  const std::string text = with_common_lambdas(arguments);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (is_word(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      const bool is_namespace = text.compare(end, 2, "::") == 0;
      if (!is_namespace) out += common_word(std::string_view(text).substr(i, end - i));
      i = is_namespace ? end + 2 : end;
      continue;
    }
    const std::size_t after = text[i] == '(' ? after_cast(text, i) : std::string::npos;
    const bool is_cast = after < text.size() && (is_digit(text[after]) || text[after] == '-');
    if (is_cast) {
      i = after;
    } else {
      if (text[i] != ' ') out += text[i];
      ++i;
    }
  }
  return out;
}

}  // namespace

KernelName kernel_name(std::string_view name) {
  std::string text = demangled(name);
  erase_anonymous(text);
  const std::string_view function = function_of(text);
  const std::size_t open = function.find_first_of("<[");
  KernelName out{std::string(function.substr(0, open)), std::nullopt};
  if (out.base.empty()) return {std::string(name), std::nullopt};
  const std::size_t close = function.rfind('>');
  if (open == std::string_view::npos || function[open] != '<' || close == std::string_view::npos || close < open)
    return out;
  out.arguments = without_parameters(common_spelling(function.substr(open + 1, close - open - 1)));
  return out;
}

}  // namespace assay::load
