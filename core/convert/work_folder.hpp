// A hidden folder beside a report in which its export is made, so that nobody takes an unfinished one for a report.
#pragma once

#include <filesystem>

#include "result.hpp"

namespace assay::convert {

/// Gone at the end of its life, with all that is in it. While it lives it is locked, so that another run does not take
/// it for a leftover.
class WorkFolder {
 public:
  /// `parent` is absolute. Error: nothing can be written there; the sentence has no subject.
  static Result<WorkFolder> make(const std::filesystem::path& parent);

  ~WorkFolder();
  WorkFolder(WorkFolder&& from) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  WorkFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::filesystem::path path_;
  int lock_;
};

/// Removes the work folders in `parent` that a killed run has left. One that is in use, or of which that cannot be
/// told, stays.
void remove_leftovers(const std::filesystem::path& parent);

}  // namespace assay::convert
