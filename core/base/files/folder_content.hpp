// What stands in a folder of results, and whose it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "files/result_folder.hpp"

namespace assay::files {

/// Folder in a staged one: there the files of an earlier writer are put aside while a folder is filled.
inline constexpr const char* kAside = ".before";

/// Names of the files of earlier writers, sorted; nothing where no list says that there was one. Also of writers that
/// died while they filled the folder.
std::optional<std::vector<std::string>> names_of_earlier(const std::filesystem::path& folder, const FolderRules& rules);

/// Something in the folder that is neither one of the sorted `known` files nor a folder of one; nothing when there is
/// none.
std::optional<std::string> foreign_entry(const std::filesystem::path& folder, const std::vector<std::string>& known);

/// Whether the folder must stay the one that it is: a mount, somebody else's, with an access list, or the current one.
bool must_stay(const std::filesystem::path& folder);

/// Removes the folders of `names` below `folder` that are empty.
void remove_empty_folders(const std::filesystem::path& folder, const std::vector<std::string>& names);

}  // namespace assay::files
