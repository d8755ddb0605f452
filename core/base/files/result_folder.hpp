// A folder of files that belong together: whoever reads it sees those of one writer.
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
  std::string list;  ///< the file that names all files of one writer; where it is missing nothing is complete
  std::function<std::vector<std::string>(const std::filesystem::path&)> names_in;  ///< empty: it is no such list
  bool force = false;                         ///< also into a folder that holds files of somebody else
  std::chrono::milliseconds patience{30000};  ///< how long another writer of the folder is waited for
  std::function<void()> before_step = {};     ///< called before each change that a reader could see
};

/// Files are written below `path()` and then published together. A folder that holds nothing but files of an earlier
/// writer is exchanged as a whole, in one step. Where that cannot be (it holds other files too, it is a mount or a
/// current folder, its owner or access list would be lost, the file system has no exchange), it is first emptied of the
/// earlier writer's files, the list first, and then filled, the list last: at no time do files of two writers stand in
/// it. Other files stay as they are.
class ResultFolder {
 public:
  /// Errors: `out` is no folder, nothing can be written there (exit 3), or it holds files and no list, so that somebody
  /// else wrote them (exit 2). Leaves nothing behind unless it is published.
  static Result<ResultFolder> make(const std::filesystem::path& out, FolderRules rules);

  [[nodiscard]] const std::filesystem::path& path() const { return staged_.path(); }

  /// `names`: all files below path(), sorted, with '/' between folders, the list among them. After an error (exit 3)
  /// what stood there stands there again.
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

/// Whether somebody is filling the folder or died while doing so: what it holds is not complete.
bool is_half_filled(const std::filesystem::path& folder);

}  // namespace assay::files
