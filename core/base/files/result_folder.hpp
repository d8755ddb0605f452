// A folder of files that belong together: a reader sees the files of one writer only.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "files/descriptor.hpp"
#include "files/staged_folder.hpp"
#include "result.hpp"

namespace assay::files {

struct FolderRules {
  std::string list;  ///< file that names all files of one writer; without it the folder is incomplete
  std::function<std::vector<std::string>(const std::filesystem::path&)> names_in;  ///< empty: the file is not such a
                                                                                   ///< list
  bool force = false;                         ///< also writes into a folder that contains foreign files
  std::chrono::milliseconds patience{30000};  ///< how long to wait for another writer of the folder
  std::function<void()> before_step = {};     ///< called before each change that a reader could notice
};

/// Files are written below `path()` and then published together. A folder that contains only files of an earlier writer
/// is exchanged as a whole, in one step. If that is impossible (it contains other files, is a mount point or a current
/// folder, would lose its owner or access list, or the file system has no exchange), the earlier writer's files are
/// removed first, the list before the rest, and then the new ones are moved in, the list last: the folder never has
/// files of two writers. Other files stay as they are.
class ResultFolder {
 public:
  /// Errors: `out` is not a folder or cannot be written (exit 3), or it contains files but no list, so that they are
  /// foreign (exit 2). Leaves nothing behind unless published.
  static Result<ResultFolder> make(const std::filesystem::path& out, FolderRules rules);

  [[nodiscard]] const std::filesystem::path& path() const { return staged_.path(); }

  /// `names`: all files below path(), sorted, with '/' between folders, including the list. After an error (exit 3) the
  /// earlier content is back in place.
  Status publish(const std::vector<std::string>& names);

 private:
  ResultFolder(std::filesystem::path out, std::filesystem::path real, FolderRules rules, StagedFolder staged);

  bool publish_new();
  [[nodiscard]] bool can_exchange(const std::vector<std::string>& known) const;
  bool publish_by_exchange(const std::vector<std::string>& known);
  Status fill(const std::vector<std::string>& known, const std::vector<std::string>& names);
  [[nodiscard]] Status check_targets(const std::vector<std::string>& known,
                                     const std::vector<std::string>& names) const;
  void step() const {
    if (rules_.before_step) rules_.before_step();
  }

  std::filesystem::path out_;   ///< as given
  std::filesystem::path real_;  ///< absolute, without links
  FolderRules rules_;
  StagedFolder staged_;
};

/// Whether a writer is filling the folder or died while doing so; its content is incomplete.
bool is_half_filled(const std::filesystem::path& folder);

}  // namespace assay::files
