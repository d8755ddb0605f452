#include "cache/still_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "files/descriptor.hpp"

namespace assay::cache {
namespace fs = std::filesystem;
namespace {

/// Half of what the second cache of common cores holds: a block is hashed before it leaves it.
constexpr std::size_t kBlock = 1U << 17;

FileContent state_of(const struct stat& s) {
  return {{},
          static_cast<std::uint64_t>(s.st_dev),
          static_cast<std::uint64_t>(s.st_ino),
          static_cast<std::uint64_t>(s.st_size),
          s.st_mtim.tv_sec,
          s.st_mtim.tv_nsec,
          s.st_ctim.tv_sec,
          s.st_ctim.tv_nsec};
}

/// Digest of everything from the file's beginning to its end.
std::optional<files::Digest> read_to_end(int file) {
  std::vector<char> block(kBlock);
  files::Digester digester;
  while (true) {
    const ssize_t got = ::read(file, block.data(), block.size());
    if (got == 0) return digester.value();
    if (got > 0) {
      digester.add({block.data(), static_cast<std::size_t>(got)});
    } else if (errno != EINTR) {
      return std::nullopt;
    }
  }
}

bool has_bytes_or_doubt(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return failed ? failed != std::errc::no_such_file_or_directory : size > 0;
}

}  // namespace

std::optional<FileContent> read_content(const fs::path& file) {
  // Without waiting, because the name may stand for a pipe by now.
  const files::Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat before{}, after{}, named{};
  if (!opened || ::fstat(opened.get(), &before) != 0 || !S_ISREG(before.st_mode)) return std::nullopt;
  const std::optional<files::Digest> bytes = read_to_end(opened.get());
  if (!bytes || ::fstat(opened.get(), &after) != 0 || ::stat(file.c_str(), &named) != 0) return std::nullopt;
  FileContent content = state_of(before);
  if (content != state_of(after) || content != state_of(named)) return std::nullopt;
  content.bytes = *bytes;
  return content;
}

std::optional<FileContent> read_report_content(const fs::path& file) {
  std::error_code failed;
  const fs::path real = fs::canonical(file, failed);  // SQLite keeps logs beside the file, not beside a link to it
  if (failed) return std::nullopt;
  for (const char* suffix : {"-wal", "-journal"}) {
    if (has_bytes_or_doubt(real.native() + suffix)) return std::nullopt;
  }
  return read_content(file);
}

}  // namespace assay::cache
