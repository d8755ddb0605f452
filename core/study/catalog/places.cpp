#include "catalog/places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "assay/words.hpp"
#include "catalog/foreign.hpp"
#include "catalog/graph_captures.hpp"
#include "files/glob.hpp"
#include "files/read_file.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"
#include "some_of.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& place) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(place, failed));  // a dangling link is a file that cannot be read
}

bool is_folder(const fs::path& place) {
  std::error_code failed;
  return fs::is_directory(place, failed);
}

fs::path at_home(const fs::path& place) {
  const char* home = std::getenv("HOME");
  const std::string& text = place.native();
  if (home == nullptr || is_there(place) || (text != "~" && !text.starts_with("~/"))) return place;
  return home + text.substr(1);
}

/// Files and folders that match a glob; without '/' it does not descend, as in a shell. Empty: none.
std::vector<fs::path> globbed(const fs::path& place) {
  const std::string text = place.generic_string();
  const std::size_t wild = text.find_first_of("*?");
  if (wild == std::string::npos) return {};
  const std::size_t slash = text.rfind('/', wild);
  const std::string glob = slash == std::string::npos ? text : text.substr(slash + 1);
  const fs::path root = slash == std::string::npos ? "." : slash == 0 ? "/" : text.substr(0, slash);
  if (!is_folder(root)) return {};
  std::vector<fs::path> out;
  const auto add = [&](const std::string& below) {
    const bool deeper = glob.find('/') == std::string::npos && below.find('/') != std::string::npos;
    if (!below.empty() && !deeper && glob_matches(glob, below)) out.push_back((root / below).lexically_normal());
  };
  const Tree tree = walk(root, named_like_a_report);
  for (const WalkedFile& file : tree.files) add(file.below);
  for (const std::string& folder : tree.folders) add(folder);
  return out;
}

/// Folders that a result was made from, according to its run.json; empty if it does not say.
std::vector<fs::path> folders_of_result(const fs::path& folder) {
  constexpr std::uint64_t kLargest = std::uint64_t{256} << 20U;
  const Result<std::string> text = files::read_file(folder / "run.json", kLargest, files::NamedBy::kAssay);
  if (!text) return {};
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("reports") || !json["reports"].is_array()) return {};
  const fs::path from = json.contains("folder") && json["folder"].is_string() ? json["folder"].get<std::string>() : "";
  std::vector<fs::path> folders;
  for (const auto& one : json["reports"]) {
    if (one.is_string()) folders.push_back(from / one.get<std::string>());
  }
  return folders;
}

/// Existing places, each a file or a folder.
Result<std::vector<fs::path>> expanded(std::span<const fs::path> places) {
  std::vector<fs::path> out;
  for (const fs::path& given : places) {
    const fs::path place = at_home(given);
    if (!is_there(place)) {
      const std::vector<fs::path> all = globbed(place);
      if (all.empty()) {
        return Error{fmt::format("'{}' does not exist", given.string())}
            .at(given.string())
            .advise("name profiles, folders of them, or the folder of a result or recording");
      }
      out.insert(out.end(), all.begin(), all.end());
    } else if (is_folder(place) && is_there(place / "results.sqlite")) {
      std::vector<fs::path> folders = folders_of_result(place);
      std::erase_if(folders, [](const fs::path& folder) { return !is_there(folder); });
      if (folders.empty()) {
        return Error{fmt::format("'{}' is a result whose profiles no longer exist here", given.string())}
            .at(given.string())
            .advise("name its profiles, or compare two results");
      }
      out.insert(out.end(), folders.begin(), folders.end());
    } else {
      out.push_back(place);
    }
  }
  return out;
}

/// Whether a format with `property` has files with such a name.
template <class Property>
bool named_like(const std::string& name, const Property& property) {
  return std::ranges::any_of(load::formats(), [&](const load::Format* format) {
    return property(*format) &&
           std::ranges::any_of(format->names.extensions, [&](std::string_view end) { return name.ends_with(end); });
  });
}

/// Whether files with such a name are joined to the profile of the same run.
bool named_like_counters(const std::string& name) {
  return named_like(name, [](const load::Format& format) { return format.kind.counters || format.beside; });
}

/// Whether a file with such a name may be a page of the profile of its run.
bool named_like_page(const std::string& name) {
  return named_like(name, [](const load::Format& format) { return format.pages; });
}

/// "unprofiled.json", "plain_times.csv": times that a program measured itself, without a profiler.
bool named_like_times(const std::string& name) {
  return (name.starts_with("unprofiled") || name.starts_with("plain")) &&
         (name.ends_with(".json") || name.ends_with(".csv"));
}

/// Whether traces of a framework, among others, have this ending.
bool may_be_a_trace(const std::string& name) {
  return named_like(name, [](const load::Format& format) { return format.kind.framework; });
}

/// Adds graph captures of files that were named one by one, from the same folder or a subfolder for captures.
void add_captures(const fs::path& folder, const std::set<std::string>& names, Tree& to) {
  if (std::ranges::all_of(names, [&](const std::string& name) { return named_like_graph_capture(folder / name); }))
    return;
  for (const std::string& below : {std::string(), std::string(kCaptureFolder) + "/"}) {
    std::error_code failed;
    fs::directory_iterator at((folder.empty() ? "." : folder) / below, failed);
    for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
      const std::string name = at->path().filename().native();
      const bool capture = may_be_a_trace(name) && named_like_graph_capture(folder / below / name);
      if (capture && !names.contains(below + name)) to.files.push_back({below + name, {}, false});
    }
  }
}

/// Files of a folder that were named one by one, with the counters of their runs, captures of their graphs, and plain
/// times next to them.
Tree named_files(const fs::path& folder, const std::set<std::string>& names) {
  Tree tree;
  tree.root = folder;
  std::error_code failed;
  tree.canonical = fs::canonical(folder.empty() ? "." : folder, failed);
  tree.one_by_one = true;
  std::set<std::string_view> stems;
  for (const std::string& name : names) {
    tree.files.push_back({name, {}, true});
    if (!named_like_counters(name)) stems.insert(stem_of(name));
  }
  fs::directory_iterator at(folder.empty() ? "." : folder, failed);
  for (; !stems.empty() && !failed && at != fs::directory_iterator(); at.increment(failed)) {
    std::string name = at->path().filename().native();
    const bool joined = (named_like_counters(name) || named_like_page(name)) && stems.contains(stem_of(name));
    const bool beside = named_like_times(name) || joined;
    if (beside && !names.contains(name)) tree.files.push_back({std::move(name), {}, false});
  }
  add_captures(folder, names, tree);
  std::ranges::sort(tree.files, {}, &WalkedFile::below);
  return tree;
}

/// "3 files (2 .txt, 1 .json)": content of places without reports. `foreign`: the first file of another tool.
std::string content_of(std::span<const fs::path> places, std::string& foreign) {
  constexpr std::size_t kMaxExamined = 64;
  std::map<std::string, std::size_t> kinds;
  std::size_t files = 0;
  for (const fs::path& place : places) {
    std::error_code failed;
    fs::recursive_directory_iterator at(place, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (!at->is_regular_file(failed)) continue;
      if (++files <= kMaxExamined && foreign.empty()) {
        const ForeignName name = foreign_file(at->path());
        if (!name.problem.empty())
          foreign = fmt::format("'{}': {}; {}", at->path().filename().string(), name.problem, name.remedy);
      }
      const std::string extension = at->path().extension().string();
      ++kinds[extension.empty() ? "without extension" : extension];
    }
  }
  if (files == 0) return "no file at all";
  std::vector<std::string> parts;
  for (const auto& [extension, count] : kinds) parts.push_back(fmt::format("{} {}", count, extension));
  return fmt::format("{} ({})", counted(files, "file"), some_of(parts, 4));
}

}  // namespace

Result<std::vector<Tree>> trees_at(std::span<const fs::path> places) {
  const Result<std::vector<fs::path>> all = expanded(places);
  if (!all) return all.error();
  std::map<fs::path, std::set<std::string>> files;  // by folder
  std::vector<Tree> trees;
  for (const fs::path& place : *all) {
    if (is_folder(place))
      trees.push_back(walk(place, named_like_a_report));
    else
      files[place.parent_path()].insert(place.filename().native());
  }
  for (const auto& [folder, names] : files) trees.push_back(named_files(folder, names));
  return trees;
}

Error no_report_in(std::span<const fs::path> places) {
  const bool several = places.size() > 1;
  std::string foreign;
  const std::string content = content_of(places, foreign);
  return Error{fmt::format("there is no profile in '{}'{}, which hold{} {}", places.front().string(),
                           several ? " and the others" : "", several ? "" : "s", content)}
      .at(places.front().string())
      .advise(foreign.empty() ? "expected " + expected_reports() : foreign);
}

}  // namespace assay
