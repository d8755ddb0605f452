#include "process/close_at_exec.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>

namespace assay::process {
namespace {

/// One by one, by the names in /proc.
void mark_each(int first) {
  const int folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(dirent64) std::array<char, 4096> entries;
  long got = 0;
  while ((got = syscall(SYS_getdents64, folder, entries.data(), entries.size())) > 0) {
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      int file = -1;  // stays for "." and ".."
      std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), file);
      if (file >= first) fcntl(file, F_SETFD, FD_CLOEXEC);
      at += entry->d_reclen;
    }
  }
  ::close(folder);
}

}  // namespace

void close_at_exec(int first) {
  // Not by the C library, which has it from 2.34 on; the kernel marks from 5.11 on.
  if (syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_CLOEXEC) != 0) mark_each(first);
}

}  // namespace assay::process
