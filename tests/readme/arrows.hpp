// Which folder of the host includes which, and what is wrong with it.
#pragma once

#include <string>
#include <vector>

namespace assay::test {

/// `file` includes `header`; both below the folder of the host.
struct Include {
  std::string file, header;
};

/// The rooms that core/CMakeLists.txt lists, in its order: "load/btree" where a folder inside a room is one of its own.
std::vector<std::string> rooms_of(const std::string& cmake_lists);

/// Every quoted include of every source and header below `folder`, but for those of the SDK. Sorted by file.
std::vector<Include> includes_below(const std::string& folder);

/// A sentence for each include of a room that stands later in `rooms`, or of a folder that no room is.
std::vector<std::string> backward(const std::vector<std::string>& rooms, const std::vector<Include>& includes);

/// A sentence for each circle of folders. A folder and what lies inside it are one: an arrow between them closes none.
std::vector<std::string> circles(const std::vector<Include>& includes);

}  // namespace assay::test
