// Which files a client may have read: what lies below given folders, links followed first.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay::mcp {

class AllowedFiles {
 public:
  /// Error (exit 2): a root is no folder.
  static Result<AllowedFiles> below(const std::vector<std::filesystem::path>& roots);

  /// The file or folder that a client names, relative to the first root that has it, without links. Refused: what lies
  /// outside, also by "..", by a link, or by a link in the folder named; hidden files; what is not there; names with
  /// NUL.
  [[nodiscard]] Result<std::filesystem::path> existing(const std::string& named) const;
  /// The same of a file that need not be there; its folder must.
  [[nodiscard]] Result<std::filesystem::path> new_one(const std::string& named) const;
  /// Of a "file://" address.
  [[nodiscard]] Result<std::filesystem::path> of_uri(const std::string& uri) const;
  static std::string uri_of(const std::filesystem::path& file);

  /// Texts below the roots that can be read as resources, by name; hidden files and what links lead to are left out.
  /// `more`: some were left out, because there are too many files.
  [[nodiscard]] std::vector<std::filesystem::path> texts(bool& more) const;
  [[nodiscard]] std::string names() const;
  [[nodiscard]] const std::vector<std::filesystem::path>& roots() const { return roots_; }

 private:
  std::vector<std::filesystem::path> roots_;
  [[nodiscard]] bool inside(const std::filesystem::path& real) const;
};

}  // namespace assay::mcp
