// The files of all trees under the names that they have in every output.
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
  std::vector<std::string> below;     ///< '/' path below the folder that it was found through
  std::vector<char> given;            ///< 1: below a place of --reports, or such a place
};

/// (looked at, in all)
using FilesLookedAt = std::function<void(std::size_t, std::size_t)>;

/// Names and sniffs every file of the trees once; of two trees that hold it the first one names it. The first `given`
/// trees are those of --reports. A name is the path below the tree; when several were given, and for the other trees,
/// the folder's own name stands before it. Bytes that are not UTF-8 and control characters are percent-encoded; where
/// names would be equal, later ones end with ~2, ~3, ...
/// `looked` hears, from any thread, how many of how many were looked at; null: nobody. `memory` tells what files are
/// that it knows; null: all are looked at. Once `stop` is raised no more are: they are listed with their names alone.
FileList list_files(const std::vector<Tree>& trees, std::size_t given, const FilesLookedAt& looked = {},
                    const FileMemory* memory = nullptr, const std::atomic<bool>* stop = nullptr);

/// Whether a file lies in a folder (both absolute), at any depth.
bool lies_in(const std::string& file, const std::string& folder);

}  // namespace assay
