#include "files/folder_content.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

bool is_regular(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(file, ignored));
}

/// A list may be damaged or forged: only names that stay below the folder count.
bool stays_below(const fs::path& name) {
  return name.is_relative() && !name.empty() && *name.begin() != ".." && name == name.lexically_normal();
}

/// Adds what a list names; whether it is one.
bool add_names(const fs::path& list, const FolderRules& rules, std::set<std::string>& to) {
  if (!is_regular(list)) return false;
  const std::vector<std::string> names = rules.names_in(list);
  for (const std::string& name : names) {
    if (stays_below(name)) to.insert(name);
  }
  return !names.empty();
}

std::vector<fs::path> fillings(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed, ignored;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const bool named = at->path().filename().native().starts_with(kUnfinished);
    if (named && fs::is_directory(fs::symlink_status(at->path() / kAside, ignored))) found.push_back(at->path());
  }
  return found;
}

}  // namespace

bool is_half_filled(const fs::path& folder) { return !fillings(folder).empty(); }

std::optional<std::vector<std::string>> names_of_earlier(const fs::path& folder, const FolderRules& rules) {
  std::set<std::string> names;
  bool any = add_names(folder / rules.list, rules, names);
  for (const fs::path& filling : fillings(folder)) {
    any = add_names(filling / rules.list, rules, names) || any;
    any = add_names(filling / kAside / rules.list, rules, names) || any;
  }
  if (!any) return std::nullopt;
  names.insert(rules.list);
  return std::vector<std::string>(names.begin(), names.end());
}

std::optional<std::string> foreign_entry(const fs::path& folder, const std::vector<std::string>& known) {
  std::set<std::string> folders;
  for (const std::string& name : known) {
    for (fs::path above = fs::path(name).parent_path(); !above.empty(); above = above.parent_path())
      folders.insert(above.generic_string());
  }
  std::error_code failed, ignored;
  fs::recursive_directory_iterator at(folder, failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    const std::string name = at->path().lexically_relative(folder).generic_string();
    const fs::file_status status = at->symlink_status(ignored);
    const bool own = fs::is_directory(status)
                         ? folders.contains(name)
                         : fs::is_regular_file(status) && std::binary_search(known.begin(), known.end(), name);
    if (!own) return name;
  }
  return failed ? std::optional(folder.generic_string()) : std::nullopt;  // what cannot be seen is not replaced
}

bool must_stay(const fs::path& folder) {
  struct statx s{};
  if (statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_UID, &s) != 0) return true;
  std::error_code failed;
  return (s.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0 || s.stx_uid != geteuid() ||
         getxattr(folder.c_str(), "system.posix_acl_access", nullptr, 0) > 0 ||
         getxattr(folder.c_str(), "system.posix_acl_default", nullptr, 0) > 0 ||
         fs::equivalent(folder, fs::current_path(failed), failed);
}

void remove_empty_folders(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (fs::path above = fs::path(name).parent_path(); !above.empty(); above = above.parent_path()) {
      if (rmdir((folder / above).c_str()) != 0) break;  // not empty
    }
  }
}

}  // namespace assay::files
