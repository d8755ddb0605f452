#include "files/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <system_error>
#include <utility>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

using FileId = std::pair<dev_t, ino_t>;

/// Only written before any thread starts.
std::set<FileId>& inputs() {
  static std::set<FileId> all;
  return all;
}

/// Target of a link, which is replaced so that the link stays.
fs::path behind_links(const fs::path& target, const OutputKind& kind) {
  std::error_code failed;
  if (kind.in_folder || !fs::is_symlink(fs::symlink_status(target, failed))) return target;
  const fs::path real = fs::canonical(target, failed);
  return failed ? target : real;
}

bool look(const fs::path& target, const OutputKind& kind, struct stat& s) {
  return (kind.in_folder ? lstat(target.c_str(), &s) : stat(target.c_str(), &s)) == 0;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  return text;
}

bool is_marked(const fs::path& file, const OutputKind& kind) {
  std::string head(kMarkedBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return head.find(kind.mark) != std::string::npos &&
         without_spaces(std::move(head)).starts_with(without_spaces(kind.begins));
}

Error kind_error(const fs::path& target, const OutputKind& kind) {
  return {fmt::format("'{}' is not {}, so it is not replaced; name another file, or move that one away",
                      target.string(), kind.name)};
}

std::string_view kind_of(mode_t mode) {
  return S_ISDIR(mode)    ? "a folder"
         : S_ISLNK(mode)  ? "a link"
         : S_ISFIFO(mode) ? "a pipe"
         : S_ISSOCK(mode) ? "a socket"
                          : "a device";
}

/// Copies a finished file into a pipe or device; on failure errno has the reason.
bool pour_into(int to, const fs::path& finished) {
  std::ifstream in(finished, std::ios::binary);
  std::remove(finished.c_str());  // the reader of a pipe may be gone, which ends the program
  std::string block(std::size_t{1} << 16, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    for (std::string_view left(block.data(), static_cast<std::size_t>(in.gcount())); !left.empty();) {
      const ssize_t put = ::write(to, left.data(), left.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      left.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  errno = EIO;
  return in.eof();
}

}  // namespace

Error not_written(const fs::path& where, const std::string& why) {
  return Error{fmt::format("'{}' cannot be written ({})", where.string(), why), Exit::kFailed}
      .at(where.string())
      .advise("free some space, change its permissions or write elsewhere");
}

void declare_input(const fs::path& file) {
  struct stat s{};
  if (stat(file.c_str(), &s) == 0 && S_ISREG(s.st_mode)) inputs().emplace(s.st_dev, s.st_ino);
}

Status check_replaceable(const fs::path& target, const OutputKind& kind) {
  struct stat s{};
  if (!look(target, kind, s)) {
    // What is no link was made by another process meanwhile.
    if (lstat(target.c_str(), &s) != 0 || !S_ISLNK(s.st_mode)) return ok();
    return Error{fmt::format("'{}' is a link to a file that does not exist, so it is not replaced", target.string()),
                 Exit::kFailed}
        .at(target.string())
        .advise("name the file itself, or remove the link");
  }
  const bool stream = S_ISFIFO(s.st_mode) || S_ISCHR(s.st_mode);
  if (stream && !kind.in_folder && !kind.replaces_any) return ok();
  if (!S_ISREG(s.st_mode))
    return Error{fmt::format("'{}' is {} and not a file, so it is not replaced", target.string(), kind_of(s.st_mode)),
                 Exit::kFailed}
        .at(target.string())
        .advise("name a file");
  if (kind.replaces_any) return ok();
  if (inputs().contains({s.st_dev, s.st_ino}))
    return Error{fmt::format("'{}' is read by this command, so it is not replaced", target.string())}
        .at(target.string())
        .advise("name another file");
  return s.st_size == 0 || is_marked(target, kind) ? ok() : Status(kind_error(target, kind));
}

Status rename_over(const fs::path& finished, const fs::path& target, const OutputKind& kind) {
  if (Status free = check_replaceable(target, kind); !free) return free;
  struct stat s{};
  if (look(target, kind, s) && !S_ISREG(s.st_mode)) return not_written(target, "a pipe or device took its place");
  std::error_code failed;
  fs::rename(finished, behind_links(target, kind), failed);
  if (failed) return not_written(target, failed.message());
  return ok();
}

Result<Descriptor> open_stream(const fs::path& target) {
  struct stat s{};
  if (stat(target.c_str(), &s) != 0 || (!S_ISFIFO(s.st_mode) && !S_ISCHR(s.st_mode))) return Descriptor();
  Descriptor to(::open(target.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!to) return not_written(target, errno == ENXIO ? "nobody reads from it" : std::strerror(errno));
  if (const int flags = fcntl(to.get(), F_GETFL); flags != -1) fcntl(to.get(), F_SETFL, flags & ~O_NONBLOCK);
  return to;
}

Result<StagedFile> StagedFile::make(const fs::path& target, const OutputKind& kind, mode_t mode) {
  if (const Status free = check_replaceable(target, kind); !free) return free.error();
  Result<Descriptor> to = open_stream(target);
  if (!to) return to.error();
  const fs::path real = behind_links(target, kind);
  fs::path parent = real.has_parent_path() ? real.parent_path() : ".";
  std::error_code failed;
  if (*to) {
    parent = fs::temp_directory_path(failed);
    mode = S_IRUSR | S_IWUSR;
  }
  if (failed) return not_written(target, "there is no folder for temporary files");
  remove_leftovers_once(parent);
  LockedTemporary unfinished = make_unfinished_file(parent, mode);
  if (!unfinished.lock) return not_written(target, std::strerror(errno));
  return StagedFile(target, kind, std::move(*to), std::move(unfinished));
}

StagedFile::StagedFile(fs::path target, const OutputKind& kind, Descriptor to, LockedTemporary unfinished)
    : target_(std::move(target)),
      kind_(kind),
      to_(std::move(to)),
      unfinished_(std::move(unfinished)),
      output_(std::make_unique<Output>()) {
  output_->buffer.problem = output_->buffer.open(unfinished_.path, std::ios::out | std::ios::binary) ? 0 : errno;
}

StagedFile::Buffer::int_type StagedFile::Buffer::overflow(int_type c) {
  errno = 0;
  const int_type done = std::filebuf::overflow(c);
  if (done == traits_type::eof() && problem == 0) problem = errno;
  return done;
}

std::streamsize StagedFile::Buffer::xsputn(const char* bytes, std::streamsize count) {
  errno = 0;
  const std::streamsize done = std::filebuf::xsputn(bytes, count);
  if (done != count && problem == 0) problem = errno;
  return done;
}

int StagedFile::Buffer::sync() {
  errno = 0;
  const int done = std::filebuf::sync();
  if (done != 0 && problem == 0) problem = errno;
  return done;
}

StagedFile::~StagedFile() {
  if (unfinished_.lock) std::remove(unfinished_.path.c_str());
}

Status StagedFile::publish() {
  output_->stream.flush();
  errno = 0;
  const bool closed = output_->buffer.close() != nullptr;
  const int problem = output_->buffer.problem != 0 ? output_->buffer.problem : errno;
  if (!closed || !output_->stream) return not_written(target_, std::strerror(problem != 0 ? problem : EIO));
  if (to_) return pour_into(to_.get(), unfinished_.path) ? ok() : Status(not_written(target_, std::strerror(errno)));
  Status put = rename_over(unfinished_.path, target_, kind_);
  if (put) unfinished_.lock = Descriptor();  // not earlier: an unlocked file counts as a leftover
  return put;
}

Status write_text(const fs::path& target, const OutputKind& kind, std::string_view text) {
  Result<StagedFile> file = StagedFile::make(target, kind);
  if (!file) return file.error();
  file->stream() << text;
  return file->publish();
}

}  // namespace assay::files
