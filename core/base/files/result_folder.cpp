#include "files/result_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "files/folder_lock.hpp"
#include "files/placement.hpp"

namespace assay::files {
namespace fs = std::filesystem;
namespace {

/// Folder within the staged folder for the files of an earlier writer while a folder is being filled.
inline constexpr const char* kAside = ".before";
namespace fs = std::filesystem;

bool is_regular(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(file, ignored));
}

/// A list may be damaged or forged; only names that stay below the folder count.
bool stays_below(const fs::path& name) {
  return name.is_relative() && !name.empty() && *name.begin() != ".." && name == name.lexically_normal();
}

/// Adds the names in a list file; returns whether it is one.
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

/// Names of files of earlier writers, sorted, including writers that died while filling the folder. Empty if no list
/// says that there was one.
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

/// First entry that is neither in `known` (sorted) nor a parent folder of one; empty if all are known.
std::optional<std::string> foreign_entry(const fs::path& folder, const std::vector<std::string>& known) {
  std::set<std::string> folders;
  for (const std::string& name : known) {
    for (fs::path above = fs::path(name).parent_path(); !above.empty(); above = above.parent_path())
      folders.insert(above.generic_string());
  }
  std::error_code failed, ignored;
  fs::recursive_directory_iterator at(folder, failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    std::string name = at->path().lexically_relative(folder).generic_string();
    const fs::file_status status = at->symlink_status(ignored);
    const bool own = fs::is_directory(status)
                         ? folders.contains(name)
                         : fs::is_regular_file(status) && std::binary_search(known.begin(), known.end(), name);
    if (!own) return name;
  }
  return failed ? std::optional(folder.generic_string()) : std::nullopt;  // a folder that cannot be listed is not
                                                                          // replaced
}

/// Whether the folder itself must not be replaced: a mount point, owned by another user, with an access list, or a
/// current folder.
bool must_stay(const fs::path& folder) {
  struct statx s{};
  if (statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_UID, &s) != 0) return true;
  std::error_code failed;
  return (s.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0 || s.stx_uid != geteuid() ||
         getxattr(folder.c_str(), "system.posix_acl_access", nullptr, 0) > 0 ||
         getxattr(folder.c_str(), "system.posix_acl_default", nullptr, 0) > 0 ||
         fs::equivalent(folder, fs::current_path(failed), failed);
}

/// Removes those folders of `names` below `folder` that are empty.
void remove_empty_folders(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for (fs::path above = fs::path(name).parent_path(); !above.empty(); above = above.parent_path()) {
      if (rmdir((folder / above).c_str()) != 0) break;  // not empty
    }
  }
}

Error failure(const std::string& what, const fs::path& where, const std::string& why) {
  return Error{fmt::format("{} '{}' cannot be written ({})", what, where.string(), why), Exit::kFailed}
      .at(where.string())
      .advise("free some space or change its permissions, or choose another output folder with -o");
}

Error in_the_way(const fs::path& what, const std::string& is) {
  return Error{fmt::format("output '{}' is {} where a file belongs", what.string(), is), Exit::kFailed}
      .at(what.string())
      .advise("move it away or choose another output folder with -o");
}

/// Absolute path without links, also if it does not exist yet. Tries again if another run created and removed a parent
/// folder in the meantime.
fs::path real_path(const fs::path& out) {
  constexpr int kTries = 100;
  std::error_code failed;
  for (int i = 0; i < kTries; ++i) {
    const fs::path real = fs::weakly_canonical(fs::absolute(out, failed), failed);
    if (!failed) return real.has_filename() ? real : real.parent_path();
    if (failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory) break;
  }
  return {};
}

/// Checks that assay may write there: the folder is assay's or empty (files such as .gitkeep do not count).
Status check_owner(const fs::path& out, const fs::path& real, const FolderRules& rules) {
  if (rules.force || names_of_earlier(real, rules)) return ok();
  std::error_code failed;
  for (fs::directory_iterator at(real, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().native();
    if (name.starts_with(".")) continue;
    return Error{fmt::format("output folder '{}' holds files that assay did not write ('{}')", out.string(), name),
                 Exit::kUsage}
        .at(out.string())
        .advise("choose another one with -o, or write to it anyway with --force");
  }
  if (failed) return failure("output folder", out, failed.message());
  return ok();
}

/// Like check_owner, for a folder that another run may be filling: between two of its renames the file list is missing,
/// so a refusal is checked again under the folder lock.
Status check_owner_at_rest(const fs::path& out, const fs::path& real, const FolderRules& rules) {
  if (check_owner(out, real, rules)) return ok();
  const Result<Descriptor> lock = lock_folder(real, rules.patience);
  if (!lock) return lock.error();
  return *lock ? check_owner(out, real, rules) : ok();  // or it no longer exists
}

/// Folder to stage in: next to `real` if the two can be exchanged, else inside it.
fs::path staging_path(const fs::path& real) {
  std::error_code failed;
  if (!fs::exists(real, failed)) return real.parent_path();
  return must_stay(real) || access(real.parent_path().c_str(), W_OK | X_OK) != 0 ? real : real.parent_path();
}

bool rename_with(const fs::path& from, const fs::path& to, unsigned flags) {
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
}

/// Moves files that appeared after the check into the folder that replaced theirs.
void keep_newcomers(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  while (const auto name = foreign_entry(from, {})) {
    if (*name == from.generic_string()) return;
    fs::create_directories((to / *name).parent_path(), ignored);
    if (!rename_with(from / *name, to / *name, RENAME_NOREPLACE)) return;
  }
}

}  // namespace

bool is_half_filled(const fs::path& folder) { return !fillings(folder).empty(); }

Result<ResultFolder> ResultFolder::make(const fs::path& out, FolderRules rules) {
  std::error_code failed;
  if (fs::exists(out, failed) && !fs::is_directory(out, failed)) {
    return Error{"output '" + out.string() + "' is a file and not a folder", Exit::kFailed}
        .at(out.string())
        .advise("choose another one with -o");
  }
  if (!fs::exists(out, failed) && fs::is_symlink(fs::symlink_status(out, failed)))
    return failure("output folder", out, "it is a dangling link");
  const fs::path real = real_path(out);
  if (real.empty()) return failure("output folder", out, "its path cannot be followed");
  if (fs::exists(real, failed)) {
    if (access(real.c_str(), W_OK | X_OK) != 0) return failure("output folder", out, std::strerror(errno));
    if (Status own = check_owner_at_rest(out, real, rules); !own) return own.error();
  }
  std::optional<StagedFolder> staged = StagedFolder::make(staging_path(real), failed);
  if (!staged) return failure("output folder", out, failed.message());
  return ResultFolder(out, real, std::move(rules), std::move(*staged));
}

ResultFolder::ResultFolder(fs::path out, fs::path real, FolderRules rules, StagedFolder staged)
    : out_(std::move(out)), real_(std::move(real)), rules_(std::move(rules)), staged_(std::move(staged)) {}

Status ResultFolder::publish(const std::vector<std::string>& names) {
  while (true) {
    step();
    if (publish_new()) return ok();
    if (errno != EEXIST && errno != ENOTEMPTY) return failure("output folder", out_, std::strerror(errno));
    const Result<Descriptor> lock = lock_folder(real_, rules_.patience);
    if (!lock) return lock.error();
    if (!*lock) continue;  // gone again
    if (Status own = check_owner(out_, real_, rules_); !own) return own;
    const std::vector<std::string> known = names_of_earlier(real_, rules_).value_or(std::vector<std::string>());
    if (can_exchange(known) && publish_by_exchange(known)) return ok();
    return fill(known, names);
  }
}

/// Renames the staged folder to a target that does not exist. On failure errno has the reason.
bool ResultFolder::publish_new() {
  if (staged_.path().parent_path() != real_.parent_path()) {
    errno = EEXIST;
    return false;
  }
  bool renamed = rename_with(staged_.path(), real_, RENAME_NOREPLACE);
  if (!renamed && (errno == EINVAL || errno == ENOSYS))
    renamed = std::rename(staged_.path().c_str(), real_.c_str()) == 0;  // replaces an empty folder at most
  if (renamed) staged_.moved({});
  return renamed;
}

bool ResultFolder::can_exchange(const std::vector<std::string>& known) const {
  struct stat there{}, fresh{};
  return staged_.path().parent_path() == real_.parent_path() && !must_stay(real_) && !foreign_entry(real_, known) &&
         stat(real_.c_str(), &there) == 0 && stat(staged_.path().c_str(), &fresh) == 0 &&
         there.st_gid == fresh.st_gid && chmod(staged_.path().c_str(), there.st_mode & 07777U) == 0;
}

bool ResultFolder::publish_by_exchange(const std::vector<std::string>& known) {
  step();
  if (!rename_with(staged_.path(), real_, RENAME_EXCHANGE)) return false;
  step();
  for (const std::string& name : known) std::remove((staged_.path() / name).c_str());
  remove_empty_folders(staged_.path(), known);
  keep_newcomers(staged_.path(), real_);
  return true;
}

/// Checks up front for everything that would make a rename fail half-way.
Status ResultFolder::check_targets(const std::vector<std::string>& known, const std::vector<std::string>& names) const {
  std::error_code failed;
  for (const std::string& name : names) {
    const fs::file_status status = fs::symlink_status(real_ / name, failed);
    if (fs::is_directory(status)) return in_the_way(out_ / name, "a folder");
    if (fs::exists(status) && !fs::is_regular_file(status)) return in_the_way(out_ / name, "a link, pipe or device");
    if (fs::exists(status) && !rules_.force && !std::binary_search(known.begin(), known.end(), name))
      return in_the_way(out_ / name, "a file that assay did not write");
    for (fs::path above = fs::path(name).parent_path(); !above.empty(); above = above.parent_path()) {
      const fs::file_status folder = fs::symlink_status(real_ / above, failed);
      if (fs::exists(folder) && !fs::is_directory(folder))
        return failure("folder", out_ / above, "something else is in its place");
      if (fs::exists(folder) && access((real_ / above).c_str(), W_OK | X_OK) != 0)
        return failure("folder", out_ / above, std::strerror(errno));
    }
  }
  return ok();
}

Status ResultFolder::fill(const std::vector<std::string>& known, const std::vector<std::string>& names) {
  if (Status free = check_targets(known, names); !free) return free;
  if (staged_.path().parent_path() != real_) {
    const fs::path inside = real_ / staged_.path().filename();
    step();
    if (std::rename(staged_.path().c_str(), inside.c_str()) != 0)
      return failure("output folder", out_, std::strerror(errno));
    staged_.moved(inside);
  }
  std::error_code failed;
  const fs::path aside = staged_.path() / kAside;
  fs::create_directory(aside, failed);
  if (failed) return failure("output folder", out_, failed.message());

  std::vector<std::string> old = {rules_.list}, fresh;
  std::set_union(known.begin(), known.end(), names.begin(), names.end(), std::back_inserter(old));
  old.erase(std::remove(old.begin() + 1, old.end(), rules_.list), old.end());
  std::remove_copy(names.begin(), names.end(), std::back_inserter(fresh), rules_.list);
  fresh.push_back(rules_.list);

  RenameTransaction placement(rules_.before_step);
  for (const std::string& name : old) {
    if (!fs::is_regular_file(fs::symlink_status(real_ / name, failed))) continue;
    if (Status moved = placement.move_aside(real_ / name, aside / name); !moved) return moved;
  }
  for (const std::string& name : fresh) {
    if (Status moved = placement.move_in(staged_.path() / name, real_ / name); !moved) return moved;
  }
  placement.commit();
  step();
  remove_empty_folders(real_, known);
  remove_leftovers(real_);
  return ok();
}

}  // namespace assay::files
