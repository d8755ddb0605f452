// Names of functions of Python as profilers write them, and whose code each is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::functions {

/// Whose code a frame is, by its name and file alone.
enum class Owner : std::uint8_t {
  kProgram,     ///< the user's own
  kLibrary,     ///< a package that the user calls
  kInterpreter  ///< PyTorch and its profiler, Python's library and loops, C code, comprehensions: of no interest
};

/// A frame; views into the name.
struct FunctionName {
  std::string_view function, file;
  std::int64_t line = -1;  ///< of the definition; -1: not stated
  bool bare = false;       ///< the file never has folders, as JAX writes it
};

/// "stacks.py(8): tokenize" of PyTorch, "$stacks.py:8 tokenize" of JAX, "tokenize (stacks.py:8)". A name without a
/// file is the function alone.
FunctionName read_function_name(std::string_view name);

Owner owner_of(const FunctionName& name);

/// "tokenize (stacks.py:8)", with the last part of the file's path: no '/' is in it.
std::string text_of(const FunctionName& name);

/// The same with blank line numbers, "tokenize (stacks.py)": two versions of a file have other lines.
std::string without_lines(std::string_view text);

}  // namespace assay::functions
