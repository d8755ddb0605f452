// A folder for what is not finished; gone at the end of its life with all that is still in it.
#pragma once

#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "files/leftovers.hpp"

namespace assay::files {

/// While it lives it is locked, so that nobody takes it for a leftover.
class StagedFolder {
 public:
  /// In `parent`, which is made with all above it and goes again when nothing comes to stand in it. Removes leftovers
  /// there. Nothing where that cannot be written; `why` says why.
  static std::optional<StagedFolder> make(const std::filesystem::path& parent, std::error_code& why);
  ~StagedFolder();
  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// It was renamed: what stands at `path` now goes at the end of its life, nothing when empty.
  void moved(std::filesystem::path path) { path_ = std::move(path); }

 private:
  StagedFolder() = default;

  std::filesystem::path path_;
  Descriptor lock_;
  std::vector<std::filesystem::path> made_;  ///< folders above it, the deepest first
};

}  // namespace assay::files
