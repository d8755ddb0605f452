#include "files/staged_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace assay::files {
namespace fs = std::filesystem;
namespace {

/// Where a link leads, so that its target is replaced and the link stays.
fs::path behind_links(const fs::path& target) {
  std::error_code failed;
  if (!fs::is_symlink(fs::symlink_status(target, failed))) return target;
  const fs::path real = fs::canonical(target, failed);
  return failed ? target : real;
}

}  // namespace

Error not_written(const fs::path& where, const std::string& why) {
  return {"'" + where.string() + "' cannot be written (" + why +
              "); free some space, change its permissions or write elsewhere",
          Exit::kFailed};
}

Status check_replaceable(const fs::path& target) {
  struct stat s{};
  if (stat(target.c_str(), &s) != 0 || S_ISREG(s.st_mode)) return ok();
  const std::string what = S_ISDIR(s.st_mode) ? "a folder" : S_ISFIFO(s.st_mode) ? "a pipe" : "a device";
  return Error{"'" + target.string() + "' is " + what + " and not a file, so it is not replaced; name a file",
               Exit::kFailed};
}

Status put_file(const fs::path& finished, const fs::path& target) {
  if (Status free = check_replaceable(target); !free) return free;
  std::error_code failed;
  fs::rename(finished, behind_links(target), failed);
  if (failed) return not_written(target, failed.message());
  return ok();
}

Result<StagedFile> StagedFile::make(const fs::path& target, mode_t mode) {
  if (const Status free = check_replaceable(target); !free) return free.error();
  const fs::path real = behind_links(target);
  const fs::path parent = real.has_parent_path() ? real.parent_path() : ".";
  remove_leftovers_once(parent);
  Unfinished unfinished = make_unfinished_file(parent, mode);
  if (!unfinished.lock) return not_written(target, std::strerror(errno));
  return StagedFile(target, std::move(unfinished));
}

StagedFile::StagedFile(fs::path target, Unfinished unfinished)
    : target_(std::move(target)), unfinished_(std::move(unfinished)), output_(std::make_unique<Output>()) {
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
  Status put = put_file(unfinished_.path, target_);
  if (put) unfinished_.lock = Descriptor();  // only now: what is unlocked is taken for a leftover
  return put;
}

}  // namespace assay::files
