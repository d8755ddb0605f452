// A folder for unfinished files; removed at the end of its life with whatever is still in it.
#pragma once

#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "files/leftovers.hpp"

namespace assay::files {

/// Stays locked while it lives, so that no process removes it as a leftover.
class StagedFolder {
 public:
  /// Creates it in `parent`, which is created too and removed again if it stays empty. Removes leftovers in `parent`.
  /// Empty if that is not writable; `why` has the reason.
  static std::optional<StagedFolder> make(const std::filesystem::path& parent, std::error_code& why);
  ~StagedFolder();
  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Tells it that it was renamed: `path` is removed at the end of its life; empty: nothing is.
  void moved(std::filesystem::path path) { path_ = std::move(path); }

 private:
  StagedFolder() = default;

  std::filesystem::path path_;
  Descriptor lock_;
  std::vector<std::filesystem::path> made_;  ///< parent folders that it created, the deepest first
};

}  // namespace assay::files
