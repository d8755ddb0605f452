#include "catalog/file_list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>
#include <set>

#include "files/percent.hpp"
#include "files/utf8.hpp"
#include "workers.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

/// Percent-encodes everything that is not a visible character.
std::string printable(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    const auto byte = static_cast<unsigned char>(bytes[0]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      append_percent(out, bytes[0]);
      bytes.remove_prefix(1);
    } else {
      out += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return out;
}

/// `name`, or with the first of ~2, ~3, ... that makes it unique.
std::string made_unique(std::string name, std::set<std::string>& taken) {
  if (taken.insert(name).second) return name;
  for (std::size_t i = 2;; ++i) {
    std::string numbered = name + "~" + std::to_string(i);
    if (taken.insert(numbered).second) return numbered;
  }
}

/// Prefixes of the paths of each tree.
std::vector<std::string> prefixes(const std::vector<Tree>& trees, std::size_t given) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (trees[t].one_by_one) {  // named as they were given
      const std::string folder = printable(trees[t].root.generic_string());
      out.push_back(folder.empty() || folder.ends_with('/') ? folder : folder + "/");
      continue;
    }
    const bool bare = given == 1 && t == 0;
    const std::string own = printable(trees[t].canonical.filename().native());
    out.push_back(bare || own.empty() ? "" : made_unique(own, taken) + "/");
  }
  return out;
}

/// Kind of a file, or the reason why it cannot be determined; one unreadable file must not affect others.
FoundFile looked_at(const fs::path& path, std::string name, const FileMemory* memory) {
  std::string problem;
  try {
    return memory != nullptr ? memory->found(path, name, &sniff) : sniff(path, name);
  } catch (const std::bad_alloc&) {
    problem = "out of memory";
  } catch (const std::exception& e) {
    problem = e.what();
  }
  FoundFile found;
  found.name = std::move(name);
  found.path = path;
  found.remedy = "copy or export it again.";
  found.problem = fmt::format("This file cannot be examined ({}); {}", problem, found.remedy);
  return found;
}

FoundFile found(const WalkedFile& file, const fs::path& root, std::string name, const FileMemory* memory) {
  const fs::path path = file.below.empty() ? root : root / file.below;
  if (file.reason.empty()) return looked_at(path, std::move(name), memory);
  FoundFile folder;
  folder.name = std::move(name);
  folder.path = path;
  folder.remedy = "check its permissions.";
  folder.problem = fmt::format("This folder cannot be listed ({}); {}", file.reason, folder.remedy);
  return folder;
}

template <class T>
void reorder(std::vector<T>& items, const std::vector<std::size_t>& order) {
  std::vector<T> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

void sort_by_name(FileList& list) {
  std::vector<std::size_t> order(list.files.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return list.files[a].name < list.files[b].name; });
  reorder(list.files, order);
  reorder(list.absolute, order);
  reorder(list.below, order);
  reorder(list.given, order);
}

}  // namespace

FileList list_files(const std::vector<Tree>& trees, std::size_t given, const FilesLookedAt& looked,
                    const FileMemory* memory, const std::atomic<bool>* stop) {
  struct Place {
    const WalkedFile* file;
    const fs::path* root;
    std::string name;
  };
  FileList list;
  std::vector<Place> places;
  std::set<std::string> seen, names;
  const std::vector<std::string> before = prefixes(trees, given);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    for (const WalkedFile& file : trees[t].files) {
      std::string absolute = (file.below.empty() ? trees[t].canonical : trees[t].canonical / file.below).native();
      if (!seen.insert(trees[t].real(file.below).native()).second) continue;
      const std::string shown = before[t] + printable(file.below);
      places.push_back({&file, &trees[t].root, made_unique(shown.empty() ? "." : shown, names)});
      list.absolute.push_back(std::move(absolute));
      list.below.push_back(file.below);
      list.given.push_back(t < given ? 1 : 0);
    }
  }
  list.files.resize(places.size());
  std::atomic<std::size_t> done{0};
  for_each_on_workers(places.size(), 0, [&](std::size_t i) {
    if (stop != nullptr && *stop) return;
    list.files[i] = found(*places[i].file, *places[i].root, std::move(places[i].name), memory);
    list.files[i].named = places[i].file->named;
    const std::size_t count = ++done;
    if (looked) looked(count, places.size());
  });
  sort_by_name(list);
  return list;
}

bool lies_in(const std::string& file, const std::string& folder) {
  if (file == folder) return true;
  return file.starts_with(folder) && (folder.ends_with('/') || file[folder.size()] == '/');
}

}  // namespace assay
