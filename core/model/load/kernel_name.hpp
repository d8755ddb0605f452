// What is common to the names that one kernel has in different profilers and under different printing options.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::load {

struct KernelName {
  std::string base;                      ///< no return type, namespaces, template arguments, parameters
  std::optional<std::string> arguments;  ///< of the template, spelt alike; nothing: the name does not tell
};

/// Takes a demangled name apart; a mangled one is demangled first. Arguments are spelt without blanks, namespaces,
/// const, void, casts, parameter lists and suffixes of integers, so that "foo<(int)4, std::array<char *, (unsigned
/// long)1>>" and "foo<4, array<char*, 1ul> >" are the same.
KernelName kernel_name(std::string_view name);

}  // namespace assay::load
