#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire.hpp"

namespace assay::xplane {

MappedFile::MappedFile(const std::string& path, bool whole) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  const bool regular = file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  void* mapped = MAP_FAILED;
  if (regular && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | (whole ? MAP_POPULATE : 0), file, 0);
  }
  if (file >= 0) ::close(file);
  if (!regular || (size_ > 0 && mapped == MAP_FAILED)) throw Refusal("the file cannot be opened");
  if (size_ > 0) data_ = static_cast<const char*>(mapped);
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace assay::xplane
