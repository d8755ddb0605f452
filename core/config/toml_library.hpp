// toml++, whose assertions throw. In release builds it takes for granted what it asserts, and one of the assertions is
// about the text that it is given: "[# x" would be undefined behaviour. Include this instead of <toml++/toml.h>.
#pragma once

#include <stdexcept>

namespace assay {

/// The text is no TOML, and the library did not expect it.
class UnexpectedToml : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
[[noreturn]] inline void unexpected_toml() {
  throw UnexpectedToml("a key or the name of a table is missing where one must stand");
}

}  // namespace assay

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : ::assay::unexpected_toml())
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
