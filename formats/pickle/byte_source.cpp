#include "byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace assay::pickles {

ByteSource::ByteSource(const std::filesystem::path& path, std::size_t window) : window_(window) {
  base_ = next_ = end_ = window_.data();
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file_ >= 0 && ::fstat(file_, &status) == 0) file_size_ = static_cast<std::uint64_t>(status.st_size);
}

ByteSource::ByteSource(std::string_view bytes) {
  base_ = next_ = reinterpret_cast<const std::uint8_t*>(bytes.data());
  end_ = next_ + bytes.size();
}

ByteSource::~ByteSource() {
  if (file_ >= 0) ::close(file_);
}

bool ByteSource::read_on(std::uint64_t size) {
  if (file_ < 0 || position() + size > file_size_) return false;  // checked before allocating memory
  moved_ = true;
  const auto kept = static_cast<std::size_t>(end_ - next_);
  begin_ = position();
  std::memmove(window_.data(), next_, kept);
  window_.resize(std::max(window_.size(), size));
  base_ = next_ = window_.data();
  end_ = next_ + kept;
  while (static_cast<std::uint64_t>(end_ - next_) < size) {
    const auto filled = static_cast<std::size_t>(end_ - next_);
    const ssize_t got = ::read(file_, window_.data() + filled, window_.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    end_ += got;
  }
  return true;
}

}  // namespace assay::pickles
