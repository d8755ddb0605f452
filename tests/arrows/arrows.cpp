#include "arrows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

namespace assay::test {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().generic_string(); }

bool holds(const std::string& outer, const std::string& inner) { return (inner + "/").starts_with(outer + "/"); }

/// Place of the innermost room that holds a folder.
std::optional<std::size_t> room_of(const std::vector<std::string>& rooms, const std::string& folder) {
  std::optional<std::size_t> found;
  for (std::size_t r = 0; r < rooms.size(); ++r) {
    if (holds(rooms[r], folder) && (!found || rooms[r].size() > rooms[*found].size())) found = r;
  }
  return found;
}

using Arrows = std::map<std::string, std::map<std::string, Include>>;  ///< from, to, one include that makes it

/// The way back from `at` to `goal` along arrows; empty where there is none.
std::vector<std::string> way(const Arrows& arrows, const std::string& at, const std::string& goal,
                             std::set<std::string>& seen) {
  if (at == goal) return {at};
  if (!seen.insert(at).second || !arrows.contains(at)) return {};
  for (const auto& [next, include] : arrows.at(at)) {
    std::vector<std::string> rest = way(arrows, next, goal, seen);
    if (rest.empty()) continue;
    rest.insert(rest.begin(), at);
    return rest;
  }
  return {};
}

}  // namespace

std::vector<std::string> rooms_of(const std::string& cmake_lists) {
  std::smatch list;
  if (!std::regex_search(cmake_lists, list, std::regex(R"(foreach\(room\s([^)]*)\))"))) return {};
  std::istringstream words(list[1].str());
  std::vector<std::string> rooms = {"algo"};
  for (std::string room; words >> room;) rooms.push_back(room.substr(room.find('/') + 1));
  rooms.emplace_back("cli");
  return rooms;
}

std::vector<std::string> tools_of(const std::string& cmake_lists) {
  std::smatch list;
  if (!std::regex_search(cmake_lists, list, std::regex(R"(set\(all_tools\s([^)]*)\))"))) return {};
  std::istringstream words(list[1].str());
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<Include> includes_of_the_host(const std::string& source) {
  std::vector<Include> all;
  for (const fs::directory_entry& floor : fs::directory_iterator(source + "/core")) {
    if (!floor.is_directory()) continue;
    std::vector<Include> includes = includes_below(floor.path().string());
    all.insert(all.end(), includes.begin(), includes.end());
  }
  for (Include& include : includes_below(source + "/cli")) {
    all.push_back({"cli/" + include.file, include.header});
  }
  return all;
}

std::vector<Include> includes_below(const std::string& folder) {
  const std::regex quoted("^\\s*#\\s*include \"([^\"]+)\"");
  std::vector<Include> includes;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    std::smatch found;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_search(line, found, quoted) || found[1].str().starts_with("assay/")) continue;
      includes.push_back({fs::relative(entry.path(), folder).generic_string(), found[1].str()});
    }
  }
  std::sort(includes.begin(), includes.end(), [](const Include& a, const Include& b) { return a.file < b.file; });
  return includes;
}

std::vector<std::string> backward(const std::vector<std::string>& rooms, const std::vector<Include>& includes) {
  std::vector<std::string> wrong;
  for (const auto& [file, header] : includes) {
    if (folder_of(header).empty()) continue;  // beside the rooms: for all of them
    const auto from = room_of(rooms, folder_of(file)), to = room_of(rooms, folder_of(header));
    if (!from || !to) {
      wrong.push_back(file + " includes " + header +
                      ", and one of them lies in no room that core/CMakeLists.txt lists");
    } else if (*to > *from) {
      wrong.push_back(file + " includes " + header + " of a room that comes later");
    }
  }
  return wrong;
}

std::vector<std::string> circles(const std::vector<Include>& includes) {
  Arrows arrows;
  for (const Include& include : includes) {
    const std::string from = folder_of(include.file), to = folder_of(include.header);
    if (!to.empty() && !holds(from, to) && !holds(to, from)) arrows[from].emplace(to, include);
  }
  std::set<std::set<std::string>> told;
  std::vector<std::string> found;
  for (const auto& [from, targets] : arrows) {
    for (const auto& [to, include] : targets) {
      std::set<std::string> seen;
      const std::vector<std::string> back = way(arrows, to, from, seen);
      if (back.empty() || !told.emplace(back.begin(), back.end()).second) continue;
      std::string sentence = "folders include each other: " + from;
      for (const std::string& step : back) sentence += " -> " + step;
      found.push_back(sentence + " (" + include.file + " includes " + include.header + ")");
    }
  }
  return found;
}

Floors floors_of(const std::string& cmake_lists) {
  Floors floors{{"cli", "cli"}};
  std::smatch list;
  if (!std::regex_search(cmake_lists, list, std::regex(R"(foreach\(room\s([^)]*)\))"))) return floors;
  std::istringstream words(list[1].str());
  for (std::string room; words >> room;) floors[room.substr(room.find('/') + 1)] = room.substr(0, room.find('/'));
  return floors;
}

std::vector<std::string> off_floor(const Floors& floors, const std::map<std::string, std::set<std::string>>& may,
                                   const std::vector<Include>& includes) {
  std::vector<std::string> rooms, wrong;
  for (const auto& [room, floor] : floors) rooms.push_back(room);
  for (const auto& [file, header] : includes) {
    const auto from = room_of(rooms, folder_of(file)), to = room_of(rooms, folder_of(header));
    if (!from || !to) continue;
    const std::string& own = floors.at(rooms[*from]);
    const std::string& other = floors.at(rooms[*to]);
    if (own == other || (may.contains(own) && may.at(own).contains(other))) continue;
    wrong.push_back(file + " of floor " + own + " includes " + header + " of floor " + other);
  }
  return wrong;
}

std::vector<std::string> beyond_the_sdk(const std::string& folder, const std::string& also) {
  const std::regex quoted("^\\s*#\\s*include \"([^\"]+)\"");
  std::vector<std::string> wrong;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::ifstream in(entry.path());
    std::smatch found;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_search(line, found, quoted)) continue;
      const std::string header = found[1];
      const bool sdk = header.starts_with("assay/") && !header.starts_with("assay/testing/");
      const bool allowed = !also.empty() && header.starts_with(also);
      if (!sdk && !allowed && !fs::exists(entry.path().parent_path() / header))
        wrong.push_back(fs::relative(entry.path(), folder).generic_string() + " includes " + header);
    }
  }
  return wrong;
}

std::size_t texts_like(const std::vector<std::string>& folders, const std::string& pattern) {
  const std::regex text(pattern);
  std::size_t count = 0;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        line = line.substr(0, line.find("//"));
        count += static_cast<std::size_t>(
            std::distance(std::sregex_iterator(line.begin(), line.end(), text), std::sregex_iterator()));
      }
    }
  }
  return count;
}

}  // namespace assay::test
