// The files a client may use: those below given folders, after resolving links.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay::mcp {

class AllowedFiles {
 public:
  /// Error (exit 2): a root is not a folder.
  static Result<AllowedFiles> below(const std::vector<std::filesystem::path>& roots);

  /// The file or folder named by a client, relative to the first root that has it, with links resolved. Refused: paths
  /// outside of the roots, including through ".." or a link, at the path or inside the named folder; hidden files;
  /// missing files; names with NUL.
  [[nodiscard]] Result<std::filesystem::path> existing(const std::string& named) const;
  /// The same for a file that need not exist; its folder must.
  [[nodiscard]] Result<std::filesystem::path> new_one(const std::string& named) const;
  /// For a "file://" URI.
  [[nodiscard]] Result<std::filesystem::path> of_uri(const std::string& uri) const;
  static std::string uri_of(const std::filesystem::path& file);

  /// Texts below the roots that can be read as resources, by name, without hidden files and links. `more`: there are
  /// too many files and some are missing.
  [[nodiscard]] std::vector<std::filesystem::path> texts(bool& more) const;
  [[nodiscard]] std::string names() const;
  [[nodiscard]] const std::vector<std::filesystem::path>& roots() const { return roots_; }

 private:
  std::vector<std::filesystem::path> roots_;
  [[nodiscard]] bool inside(const std::filesystem::path& real) const;
};

}  // namespace assay::mcp
