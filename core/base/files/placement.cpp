#include "files/placement.hpp"

#include <ranges>
#include <system_error>

#include "files/staged_file.hpp"

namespace assay::files {
namespace fs = std::filesystem;

RenameTransaction::~RenameTransaction() {
  std::error_code ignored;
  for (const Move& move : std::views::reverse(moves_)) {
    if (!move.placed.empty()) fs::remove_all(move.placed, ignored);
    if (!move.aside.empty()) fs::rename(move.aside, move.before, ignored);
  }
}

Status RenameTransaction::move_in(const fs::path& finished, const fs::path& to) {
  if (Status moved = move(finished, to); !moved) return moved;
  moves_.push_back({to, {}, {}});
  return ok();
}

Status RenameTransaction::replace(const fs::path& finished, const fs::path& to, const fs::path& aside) {
  std::error_code failed;
  fs::copy_file(to, aside, failed);
  if (failed) return not_written(aside, failed.message());
  if (Status moved = move(finished, to); !moved) return moved;
  moves_.push_back({{}, aside, to});  // renamed over the old file, so that one of the two is always there
  return ok();
}

Status RenameTransaction::move_aside(const fs::path& from, const fs::path& aside) {
  if (Status moved = move(from, aside); !moved) return moved;
  moves_.push_back({{}, aside, from});
  return ok();
}

Status RenameTransaction::move(const fs::path& from, const fs::path& to) const {
  std::error_code failed;
  fs::create_directories(to.parent_path(), failed);
  if (before_each_) before_each_();
  if (!failed) fs::rename(from, to, failed);
  if (failed) return not_written(to, failed.message());
  return ok();
}

}  // namespace assay::files
