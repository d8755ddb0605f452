// A file in memory, read by the pages that are touched.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::xplane {

class MappedFile {
 public:
  /// Throws Refusal if the file cannot be opened.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
};

}  // namespace assay::xplane
