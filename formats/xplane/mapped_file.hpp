// A memory-mapped file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::xplane {

class MappedFile {
 public:
  /// `whole`: all of it will be read, so all pages are mapped at once. Throws Refusal if it cannot be opened.
  MappedFile(const std::string& path, bool whole);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
};

}  // namespace assay::xplane
