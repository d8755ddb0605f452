#include "files/leftovers.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <vector>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

std::string random_name() {
  std::uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits) continue;
  std::string name(kUnfinished);
  for (int digit = 0; digit < 12; ++digit, bits >>= 5U) name += "0123456789abcdefghijklmnopqrstuv"[bits & 31U];
  return name;
}

bool is_at(int file, const fs::path& path) {
  struct stat open{}, there{};
  return fstat(file, &open) == 0 && lstat(path.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
         open.st_ino == there.st_ino;
}

/// Between creation and locking another process may have removed it as a leftover; then tries the next name.
template <class Make>
LockedTemporary made(const fs::path& parent, Make&& make) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    LockedTemporary fresh{parent / random_name(), {}};
    fresh.lock = Descriptor(make(fresh.path));
    if (!fresh.lock && errno == EEXIST) continue;
    if (!fresh.lock) return fresh;
    while (flock(fresh.lock.get(), LOCK_EX) != 0 && errno == EINTR)
      continue;  // a file system without locks: goes on
                 // without
    if (is_at(fresh.lock.get(), fresh.path)) return fresh;
  }
  errno = EBUSY;
  return {};
}

void remove_if_left(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat s{};
  if (!file || fstat(file.get(), &s) != 0 || s.st_uid != geteuid()) return;
  if (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)) return;
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
  std::error_code ignored;
  fs::remove_all(path, ignored);  // under the lock: its writer, if still alive, notices that it is gone
}

}  // namespace

LockedTemporary make_unfinished_file(const fs::path& parent, mode_t mode) {
  return made(parent, [&](const fs::path& path) {
    return open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  });
}

LockedTemporary make_unfinished_folder(const fs::path& parent) {
  return made(parent, [](const fs::path& path) {
    if (mkdir(path.c_str(), S_IRWXU | S_IRWXG | S_IRWXO) != 0) return -1;
    const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder == -1 && errno == ENOENT) errno = EEXIST;  // removed as a leftover
    return folder;
  });
}

void remove_leftovers(const fs::path& parent) {
  std::error_code failed;
  std::vector<fs::path> named;
  for (fs::directory_iterator at(parent, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().filename().native().starts_with(kUnfinished)) named.push_back(at->path());
  }
  for (const fs::path& path : named) remove_if_left(path);
}

void remove_leftovers_once(const fs::path& parent) {
  static std::mutex guard;
  static std::set<fs::path> listed;
  {
    const std::lock_guard lock(guard);
    if (!listed.insert(parent).second) return;
  }
  remove_leftovers(parent);
}

}  // namespace assay::files
