#include "cache/store.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <tuple>
#include <vector>

#include "cache/entry.hpp"
#include "files/descriptor.hpp"
#include "files/digest.hpp"
#include "files/leftovers.hpp"
#include "files/staged_file.hpp"

namespace assay::cache {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kExtension = ".result";
constexpr std::size_t kFolderDigits = 2, kNameDigits = 30;
/// Larger results are faster to compute again than to read.
constexpr off_t kLargestEntry = off_t{1} << 28;

bool all_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool named_as_entry(std::string_view name) {
  return name.ends_with(kExtension) && all_hex(name.substr(0, name.size() - kExtension.size()), kNameDigits);
}

std::optional<std::string> read_file(int file, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = ::read(file, bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

/// Whether only this user can modify it. A folder may be group-writable, because the entries in it are checked too.
bool is_own(const struct stat& s) {
  const mode_t others = S_ISDIR(s.st_mode) ? S_IWOTH : S_IWOTH | S_IWGRP;
  return s.st_uid == ::geteuid() && (s.st_mode & others) == 0;
}

/// Creates the folder and its parents for this user alone, as the XDG specification asks.
void make_folders(const fs::path& folder) {
  std::error_code ignored;  // a failure shows when the folder is written to
  if (folder.empty() || fs::exists(folder, ignored)) return;
  make_folders(folder.parent_path());
  ::mkdir(folder.c_str(), S_IRWXU);
}

struct CacheFile {
  fs::path file;
  std::int64_t used_s = 0, used_ns = 0;
  std::uint64_t bytes = 0;  ///< on the disk
};

/// Adds the entries of one folder and removes what dead writers left in it.
void list_entries(const fs::path& folder, std::vector<CacheFile>& to) {
  files::remove_leftovers(folder);
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().native();
    struct stat s{};
    if (::lstat(at->path().c_str(), &s) != 0 || !S_ISREG(s.st_mode)) continue;
    if (named_as_entry(name)) {
      const auto on_disk = static_cast<std::uint64_t>(std::max<off_t>(s.st_size, s.st_blocks * 512));
      to.push_back({at->path(), s.st_mtim.tv_sec, s.st_mtim.tv_nsec, on_disk});
    }
  }
}

}  // namespace

fs::path Store::file_of(std::string_view key) const {
  const std::string name = files::hex(files::digest_of(key));
  return folder_ / name.substr(0, kFolderDigits) / name.substr(kFolderDigits).append(kExtension);
}

std::optional<std::string> Store::find(std::string_view key) const {
  const fs::path path = file_of(key);
  const files::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat s{};
  if (!file || ::fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode) || s.st_size > kLargestEntry) return std::nullopt;
  if (!is_own(s) || !may_be_believed(path)) return std::nullopt;
  std::optional<std::string> entry = read_file(file.get(), static_cast<std::size_t>(s.st_size));
  if (!entry) return std::nullopt;
  const std::optional<std::string_view> payload = payload_of(*entry, key);
  if (!payload) return std::nullopt;
  ::futimens(file.get(), nullptr);  // if that is not allowed, entries are aged by the time they were written
  entry->erase(0, entry->size() - payload->size());
  return entry;
}

void Store::keep(std::string_view key, std::string_view payload) {
  if (gave_up_ || key.size() + payload.size() > static_cast<std::size_t>(kLargestEntry) / 2) return;
  const fs::path path = file_of(key);
  make_folders(path.parent_path());
  if (!may_be_believed(path)) return;
  Result<files::StagedFile> file = files::StagedFile::make(path, files::kOwnFile, S_IRUSR | S_IWUSR);
  if (!file) return disable(file.error().sentence);
  file->stream() << make_entry(key, payload);
  if (const Status kept = file->publish(); !kept) return disable(kept.error().sentence);
  wrote_ = true;
}

/// Whether its folders, as far as they exist, belong to this user; otherwise another user may have put the entry there.
bool Store::may_be_believed(const fs::path& entry) const {
  for (const fs::path& folder : {folder_, entry.parent_path()}) {
    struct stat s{};
    if (::stat(folder.c_str(), &s) != 0 || is_own(s)) continue;
    disable(fmt::format("'{}' belongs to another user or is writable by everybody, so nothing in it is believed",
                        folder.string()));
    return false;
  }
  return true;
}

void Store::disable(const std::string& why) const {
  const std::scoped_lock lock(mutex_);
  gave_up_ = true;
  if (!problem_) problem_ = why;
}

std::optional<std::string> Store::problem() const {
  const std::scoped_lock lock(mutex_);
  return problem_;
}

void Store::trim(std::uint64_t bytes) const {
  std::vector<CacheFile> entries;
  std::error_code failed;
  for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    if (all_hex(at->path().filename().native(), kFolderDigits)) list_entries(at->path(), entries);
  }
  std::uint64_t total = 0;
  for (const CacheFile& entry : entries) total += entry.bytes;
  std::sort(entries.begin(), entries.end(), [](const CacheFile& a, const CacheFile& b) {
    return std::tie(a.used_s, a.used_ns, a.file) < std::tie(b.used_s, b.used_ns, b.file);
  });
  for (auto oldest = entries.begin(); total > bytes && oldest != entries.end(); ++oldest) {
    ::unlink(oldest->file.c_str());
    total -= oldest->bytes;
  }
}

std::optional<fs::path> default_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && fs::path(cache).is_absolute()) return fs::path(cache) / "assay";
  const char* home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute()) return fs::path(home) / ".cache/assay";
  return std::nullopt;
}

}  // namespace assay::cache
