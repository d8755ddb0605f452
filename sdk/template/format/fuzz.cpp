// Reads bytes as a file. With -D@NAME@_FUZZ=ON and clang, libFuzzer generates them; otherwise the files given as
// arguments are read.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "assay/testing/table_recorder.hpp"

extern "C" const assay::FormatDescriptor assay_format;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const int file = ::memfd_create("@NAME@", 0);
  if (file == -1 || ::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  assay::testing::TableRecorder tables(assay_format);
  if (tables.load(path, size).empty()) {  // all columns of a table have the same length
    const std::size_t rows = tables.cells(assay::col::kernels, &assay::KernelTable::start).size();
    if (tables.cells(assay::col::kernels, &assay::KernelTable::name).size() != rows) std::abort();
  }
  ::close(file);
  return 0;
}

#ifndef @NAME@_LIBFUZZER
int main(int count, char** files) {
  for (int i = 1; i < count; ++i) {
    std::ifstream in(files[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
}
#endif
