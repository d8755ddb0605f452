#include "convert/work_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "discover/walk.hpp"

namespace assay::convert {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLockFile = "lock";

bool is_left_over(const fs::path& folder) {
  const int lock = open((folder / kLockFile).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock == -1) return false;
  const bool free = flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return free;
}

}  // namespace

Result<WorkFolder> WorkFolder::make(const fs::path& parent) {
  std::string name = (parent / (std::string(kConversionFolder) + "XXXXXX")).native();
  if (mkdtemp(name.data()) == nullptr) {
    return Error{std::string("nothing can be written to its folder (") + std::strerror(errno) +
                     "); allow writing there, or copy the report elsewhere",
                 Exit::kFailed};
  }
  const int lock = open((fs::path(name) / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock != -1) flock(lock, LOCK_EX | LOCK_NB);
  return WorkFolder(name, lock);
}

WorkFolder::WorkFolder(WorkFolder&& from) noexcept
    : path_(std::exchange(from.path_, {})), lock_(std::exchange(from.lock_, -1)) {}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
  if (lock_ != -1) close(lock_);
}

void remove_leftovers(const fs::path& parent) {
  std::error_code failed;
  std::vector<fs::path> leftovers;
  fs::directory_iterator at(parent, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    std::error_code ignored;
    const bool ours = at->path().filename().native().starts_with(kConversionFolder);
    if (ours && fs::is_directory(at->symlink_status(ignored)) && is_left_over(at->path())) {
      leftovers.push_back(at->path());
    }
  }
  for (const fs::path& folder : leftovers) fs::remove_all(folder, failed);
}

}  // namespace assay::convert
