#include "cache/still_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>
#include <vector>

#include "files/descriptor.hpp"

namespace assay::cache {
namespace fs = std::filesystem;
namespace {

/// Half of a common L2 cache, so that a block is hashed before it leaves the cache.
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

/// Digest of the file from its beginning to its end.
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
  // Does not block: the name may refer to a pipe by now.
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

namespace {

/// Whether an SQLite log is next to the file, or may be.
bool has_log(const fs::path& file) {
  std::error_code failed;
  // SQLite keeps its logs next to the file, not next to a link to it.
  const bool link = fs::is_symlink(fs::symlink_status(file, failed));
  failed.clear();  // a missing file has no log either
  const fs::path real = link ? fs::canonical(file, failed) : file;
  return failed || has_bytes_or_doubt(real.native() + "-wal") || has_bytes_or_doubt(real.native() + "-journal");
}

}  // namespace

std::optional<FileContent> read_report_content(const fs::path& file) {
  return has_log(file) ? std::nullopt : read_content(file);
}

std::optional<FileContent> sample_report_content(const fs::path& file) {
  constexpr std::uint64_t kPage = 4096, kPages = 64;
  const std::optional<FileContent> state = report_state(file);
  const files::Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!state || !opened || !is_settled(*state)) return std::nullopt;
  files::Digester digester;
  for (const std::uint64_t number : {state->device, state->node, state->size})
    digester.add(std::to_string(number) + ' ');
  for (const std::int64_t number : {state->modified_s, state->modified_ns, state->changed_s, state->changed_ns})
    digester.add(std::to_string(number) + ' ');
  std::array<char, kPage> page{};
  for (std::uint64_t p = 0; p <= kPages; ++p) {
    const std::uint64_t at = state->size / (kPages + 1) * p;
    const ssize_t got = ::pread(opened.get(), page.data(), page.size(), static_cast<off_t>(at));
    if (got < 0) return std::nullopt;
    digester.add({page.data(), static_cast<std::size_t>(got)});
  }
  if (report_state(file) != state) return std::nullopt;
  FileContent content = *state;
  content.bytes = digester.value();
  return content;
}

std::optional<FileContent> content_state(const fs::path& file) {
  struct stat named{};
  if (::stat(file.c_str(), &named) != 0 || !S_ISREG(named.st_mode)) return std::nullopt;
  return state_of(named);
}

std::optional<FileContent> report_state(const fs::path& file) {
  return has_log(file) ? std::nullopt : content_state(file);
}

bool is_settled(const FileContent& state) {
  constexpr std::int64_t kGrain = 3;  // seconds; FAT stores even seconds only
  struct timespec now{};
  if (::clock_gettime(CLOCK_REALTIME, &now) != 0) return false;
  return std::max(state.modified_s, state.changed_s) + kGrain <= now.tv_sec;
}

}  // namespace assay::cache
