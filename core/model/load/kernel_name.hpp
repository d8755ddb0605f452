// Common form of the names of one kernel across profilers and printing options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::load {

struct KernelName {
  std::string base;                      ///< without return type, namespaces, template arguments, parameters
  std::optional<std::string> arguments;  ///< of the template, normalized; empty: not part of the name
};

/// Splits a demangled name; demangles it first if necessary. Arguments lose blanks, namespaces, const, void, casts,
/// parameter lists and integer suffixes, so that "foo<(int)4, std::array<char *, (unsigned long)1>>" and "foo<4,
/// array<char*, 1ul> >" are equal.
KernelName kernel_name(std::string_view name);

}  // namespace assay::load
