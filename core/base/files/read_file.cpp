#include "files/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "files/staged_file.hpp"

namespace assay::files {
namespace {

/// Why opening failed. open() reports a link as too many links.
std::string not_opened(int why) {
  if (why == ENOENT) return "does not exist";
  if (why == ELOOP) return "is a link, which is not followed here";
  return fmt::format("cannot be read ({}); check its permissions", std::strerror(why));
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file, std::uint64_t most, NamedBy by) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
  if (by != NamedBy::kUser) flags |= O_NONBLOCK;  // a pipe is rejected below instead of waited for
  if (by == NamedBy::kAssay) flags |= O_NOFOLLOW;
  const Descriptor opened(::open(file.c_str(), flags));
  struct stat s{};
  if (!opened || ::fstat(opened.get(), &s) != 0) return Error{not_opened(errno)};
  if (S_ISDIR(s.st_mode)) return Error{"is a folder and not a file"};
  if (by != NamedBy::kUser && !S_ISREG(s.st_mode)) return Error{"is not a regular file"};
  const auto too_large = [&] { return Error{fmt::format("has more than {} MiB", most >> 20U)}; };
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(s.st_size, 0));
  if (size > most) return too_large();
  std::string bytes(static_cast<std::size_t>(size) + 1, '\0');  // one byte more, so that the end shows without another
                                                                // block
  for (std::size_t used = 0;;) {
    const ssize_t got = ::read(opened.get(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{not_opened(errno)};
    used += static_cast<std::size_t>(got);
    if (used > most) return too_large();
    if (got == 0) {
      bytes.resize(used);
      return bytes;
    }
    if (used == bytes.size()) bytes.resize(used + std::max(kBlock, used));
  }
}

Result<Descriptor> open_own_file(const std::filesystem::path& file, int flags) {
  const bool reads = (flags & O_RDWR) != 0;
  Descriptor opened(::open(file.c_str(), flags | (reads ? 0 : O_WRONLY) | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                           S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH));
  struct stat s{};
  if (!opened) return not_written(file, errno == ELOOP ? "it is a link" : std::strerror(errno));
  if (::fstat(opened.get(), &s) != 0 || !S_ISREG(s.st_mode)) return not_written(file, "it is not a regular file");
  return opened;
}

}  // namespace assay::files
