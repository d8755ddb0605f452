// Several renames that take effect together or are undone together.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "result.hpp"

namespace assay::files {

/// Undoes its renames at the end of its life unless `commit` was called. Errors (exit 3) name the path.
class RenameTransaction {
 public:
  /// `before_each` is called before each rename.
  explicit RenameTransaction(std::function<void()> before_each = {}) : before_each_(std::move(before_each)) {}
  ~RenameTransaction();
  RenameTransaction(const RenameTransaction&) = delete;
  RenameTransaction& operator=(const RenameTransaction&) = delete;

  /// Moves a finished file or folder to `to`, where nothing exists; creates the folders above it.
  Status move_in(const std::filesystem::path& finished, const std::filesystem::path& to);
  /// Moves a finished file over the one at `to`, of which `aside` becomes a copy.
  Status replace(const std::filesystem::path& finished, const std::filesystem::path& to,
                 const std::filesystem::path& aside);
  /// Moves whatever is at `from` to `aside`; creates the folders above `aside`.
  Status move_aside(const std::filesystem::path& from, const std::filesystem::path& aside);

  void commit() { moves_.clear(); }

 private:
  struct Move {
    std::filesystem::path placed;         ///< removed on rollback; empty: nothing
    std::filesystem::path aside, before;  ///< moved back from `aside` to `before` on rollback; empty: nothing
  };
  Status move(const std::filesystem::path& from, const std::filesystem::path& to) const;

  std::function<void()> before_each_;
  std::vector<Move> moves_;
};

}  // namespace assay::files
