// Several renames that are kept together or taken back together.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "result.hpp"

namespace assay::files {

/// Takes all of it back at the end of its life unless `keep` was called. Errors (exit 3) name the place.
class RenameTransaction {
 public:
  /// `before_each` is called before each rename.
  explicit RenameTransaction(std::function<void()> before_each = {}) : before_each_(std::move(before_each)) {}
  ~RenameTransaction();
  RenameTransaction(const RenameTransaction&) = delete;
  RenameTransaction& operator=(const RenameTransaction&) = delete;

  /// Moves something finished to `to`, where nothing stands; folders above it are made.
  Status move_in(const std::filesystem::path& finished, const std::filesystem::path& to);
  /// Moves a finished file over the one at `to`, of which a copy is kept at `aside`.
  Status replace(const std::filesystem::path& finished, const std::filesystem::path& to,
                 const std::filesystem::path& aside);
  /// Moves what stands at `from` to `aside`; folders above that are made.
  Status move_aside(const std::filesystem::path& from, const std::filesystem::path& aside);

  void commit() { moves_.clear(); }

 private:
  struct Move {
    std::filesystem::path placed;         ///< removed when it is taken back; empty: nothing
    std::filesystem::path aside, before;  ///< what then goes from `aside` to `before`; empty: nothing
  };
  Status move(const std::filesystem::path& from, const std::filesystem::path& to) const;

  std::function<void()> before_each_;
  std::vector<Move> moves_;
};

}  // namespace assay::files
