#include "formats/torch/scan.hpp"

#include <cstring>

namespace assay::load {
namespace {

/// Position after the closing quote of the string whose opening quote is at `at`.
const char* string_end(const char* at, const char* end) {
  for (++at; at < end;) {
    const char* quote = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    if (quote == nullptr) return nullptr;
    const char* slash = quote;
    while (slash > at && slash[-1] == '\\') --slash;
    if ((quote - slash) % 2 == 0) return quote + 1;
    at = quote + 1;
  }
  return nullptr;
}

}  // namespace

const char* skip_space(const char* at, const char* end) {
  while (at < end && is_space(*at)) ++at;
  return at;
}

const char* value_end(const char* at, const char* end) {
  if (at == end) return nullptr;
  if (*at == '"') return string_end(at, end);
  if (*at != '{' && *at != '[') {
    while (at < end && !is_space(*at) && *at != ',' && *at != '}' && *at != ']') ++at;
    return at == end ? nullptr : at;
  }
  long depth = 0;
  while (at < end) {
    switch (*at) {
      case '"':
        at = string_end(at, end);
        if (at == nullptr) return nullptr;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default:
        break;
    }
    ++at;
  }
  return nullptr;
}

const char* last_gap(const char* begin, const char* limit) {
  for (const char* at = limit; at > begin;) {
    at = static_cast<const char*>(memrchr(begin, '{', static_cast<std::size_t>(at - begin)));
    if (at == nullptr) return nullptr;
    const char* back = at;
    while (back > begin && is_space(back[-1])) --back;
    if (back == begin || back[-1] != ',') continue;
    --back;
    while (back > begin && is_space(back[-1])) --back;
    if (back > begin && back[-1] == '}') return back;
  }
  return nullptr;
}

}  // namespace assay::load
