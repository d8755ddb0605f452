// Sizes and offsets of everything that crosses the boundary between host and plugin, as the SDK of this build lays it
// out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::compat {

struct Member {
  std::string name, type;
  std::size_t offset = 0, size = 0;
};

struct Structure {
  std::string name;
  std::size_t size = 0;
  bool may_grow = false;  ///< by members at its end, within a major version; otherwise it is frozen
  std::vector<Member> members;
};

/// A number that has a meaning on both sides: an enumerator, the id of a column.
struct Constant {
  std::string name;
  long long value = 0;
};

std::vector<Structure> structures();
std::vector<Constant> constants();

/// One line a structure, member and constant: the form of layout.txt.
std::string layout_text();

}  // namespace assay::compat
