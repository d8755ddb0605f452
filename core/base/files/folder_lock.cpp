#include "files/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

/// " (process 123)" according to /proc/locks; empty if it does not list the holder.
std::string holder_of(const struct stat& folder) {
  std::array<char, 64> node{};
  std::snprintf(node.data(), node.size(), "%02x:%02x:%llu", major(folder.st_dev), minor(folder.st_dev),
                static_cast<unsigned long long>(folder.st_ino));
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, held;
    words >> number >> kind >> advisory >> access >> process >> held;
    if (kind == "FLOCK" && held == node.data()) return " (process " + process + ")";
  }
  return {};
}

}  // namespace

Result<Descriptor> lock_folder(const fs::path& folder, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{5};
  const auto latest = std::chrono::steady_clock::now() + patience;
  while (true) {
    Descriptor open_folder(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat held{}, there{};
    if (!open_folder || fstat(open_folder.get(), &held) != 0) return Descriptor();
    const bool locked = flock(open_folder.get(), LOCK_EX | LOCK_NB) == 0;
    const bool busy = !locked && (errno == EWOULDBLOCK || errno == EINTR);
    if (stat(folder.c_str(), &there) != 0) return Descriptor();
    // The holder may have replaced the folder in the meantime. A file system without locks is used without them.
    if (!busy && held.st_ino == there.st_ino && held.st_dev == there.st_dev) return open_folder;
    if (busy && std::chrono::steady_clock::now() >= latest) {
      return Error{
          fmt::format("output folder '{}' is being written by another process{}", folder.string(), holder_of(held)),
          Exit::kFailed}
          .at(folder.string())
          .advise("wait until it ends, or choose another folder with -o");
    }
    if (busy) std::this_thread::sleep_for(kPause);
  }
}

}  // namespace assay::files
