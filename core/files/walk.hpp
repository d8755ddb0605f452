// Everything below a folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Extension of reports of Nsight Compute, which only ncu can read: their CSVs are read in their place.
inline constexpr std::string_view kNcuReport = ".ncu-rep";

struct WalkedFile {
  std::string below;   ///< '/' path below the root
  std::string reason;  ///< for a folder that could not be listed: why; empty for all else
};

struct Tree {
  std::filesystem::path root;               ///< as given
  std::filesystem::path canonical;          ///< the same folder, absolute and without links
  std::vector<WalkedFile> files;            ///< all that is no folder, and folders named like a report or not listable
  std::vector<std::string> folders;         ///< '/' paths below the root; the root itself, "", is the first
  std::vector<std::string> linked_folders;  ///< links to folders, which are not followed
};

/// Sorted by path. Links to folders are not followed, so that no circle is possible; no single entry ends the walk.
/// What is being written (files/leftovers.hpp) is passed over. `root` is an existing folder.
Tree walk(const std::filesystem::path& root);

/// ".sqlite" of "A.SQLite": the last extension in small letters.
std::string lower_extension(const std::filesystem::path& file);

/// Ends with .pt.trace.json or .pt.trace.json.gz, in any case: as PyTorch names its traces.
bool named_like_a_trace(const std::filesystem::path& file);

/// Ends with .sqlite, .nsys-rep, .qdrep, .ncu-rep, .pt.trace.json or .pt.trace.json.gz, in any case.
bool named_like_a_report(const std::filesystem::path& file);

}  // namespace assay
