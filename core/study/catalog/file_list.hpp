// Files of all trees under the names that they have in every output.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "catalog/file_memory.hpp"
#include "files/walk.hpp"

namespace assay {

/// Parallel vectors, sorted by name (bytewise).
struct FileList {
  std::vector<FoundFile> files;
  std::vector<std::string> absolute;  ///< path without links in its folders
  std::vector<std::string> below;     ///< path below the folder through which it was found, with '/'
  std::vector<char> given;            ///< 1: below, or equal to, a place of --reports
};

/// (inspected, total)
using FilesLookedAt = std::function<void(std::size_t, std::size_t)>;

/// Names and inspects every file of the trees once; if two trees contain it, the first one names it. The first `given`
/// trees are those of --reports. A name is the path below the tree, prefixed by the name of the folder if there are
/// several, and for the other trees. Bytes that are not UTF-8 and control characters are percent-encoded; equal names
/// get ~2, ~3, ... `looked` is called from any thread with the number of files inspected; may be null. Files that
/// `memory` knows are not opened; null: all are. Once `stop` is set the remaining files are listed by name only.
FileList list_files(const std::vector<Tree>& trees, std::size_t given, const FilesLookedAt& looked = {},
                    const FileMemory* memory = nullptr, const std::atomic<bool>* stop = nullptr);

/// Whether a file is in a folder (both absolute), at any depth.
bool lies_in(const std::string& file, const std::string& folder);

}  // namespace assay
