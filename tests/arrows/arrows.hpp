// Which folder of the host includes which, and what is wrong with it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace assay::test {

/// `file` includes `header`; both below the folder of the host.
struct Include {
  std::string file, header;
};

/// The rooms that core/CMakeLists.txt lists, in its order and without their floor: "load/btree" where a folder inside a
/// room is one of its own. `algo`, on which all of them stand, comes first; the commands, `cli`, come last.
std::vector<std::string> rooms_of(const std::string& cmake_lists);

/// The tools that tools/CMakeLists.txt lists, in its order.
std::vector<std::string> tools_of(const std::string& cmake_lists);

/// Every quoted include of every source and header below `folder`, but for those of the SDK. Sorted by file.
std::vector<Include> includes_below(const std::string& folder);

/// Those of all floors below `source`/core, each file named from its floor, and of the commands below `source`/cli.
std::vector<Include> includes_of_the_host(const std::string& source);

/// A sentence for each include of a room that stands later in `rooms`, or of a folder that no room is.
std::vector<std::string> backward(const std::vector<std::string>& rooms, const std::vector<Include>& includes);

/// A sentence for each circle of folders. A folder and what lies inside it are one: an arrow between them closes none.
std::vector<std::string> circles(const std::vector<Include>& includes);

/// A sentence for each include of a floor that `may` does not give the floor of its file; `floors`: of each room.
using Floors = std::map<std::string, std::string>;
Floors floors_of(const std::string& cmake_lists);
std::vector<std::string> off_floor(const Floors& floors, const std::map<std::string, std::set<std::string>>& may,
                                   const std::vector<Include>& includes);

/// Quoted includes of everything below `folder` whose header does not begin with `assay/` and does not lie in the
/// folder of the file, or begins with `assay/testing/`. `also`: the beginning of headers that it may include besides.
std::vector<std::string> beyond_the_sdk(const std::string& folder, const std::string& also = "");

/// How often texts in the sources below the folders match: links that no include shows.
std::size_t texts_like(const std::vector<std::string>& folders, const std::string& pattern);

}  // namespace assay::test
