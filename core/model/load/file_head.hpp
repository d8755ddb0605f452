// The beginning of a file, by which formats recognise it.
#pragma once

#include <fstream>
#include <iterator>

#include "load/format.hpp"

namespace assay::load {

struct FileHead {
  explicit FileHead(const std::filesystem::path& file) {
    std::error_code failed;
    size = std::filesystem::file_size(file, failed);
    std::ifstream in(file, std::ios::binary);
    if (!(readable = !failed && in)) size = 0;
    in.read(bytes, readable ? std::ssize(bytes) : 0);
    text = {bytes, static_cast<std::size_t>(in.gcount())};
  }
  char bytes[kHeadBytes];
  std::string_view text;  ///< points into `bytes`
  std::uint64_t size = 0;
  bool readable = false;
  FileHead(const FileHead&) = delete;
};

}  // namespace assay::load
