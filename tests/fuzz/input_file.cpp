#include "input_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <string>
#include <vector>

namespace assay::fuzz {
namespace {

constexpr std::size_t kPageCount = 28, kChangeCounter = 24, kValidFor = 92;

void make_header_agree(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < 512) return;
  std::size_t page_size = static_cast<std::size_t>(bytes[16]) << 8 | bytes[17];
  if (page_size == 1) page_size = 65536;
  if (page_size < 512 || !std::has_single_bit(page_size) || bytes.size() < page_size) return;
  const std::size_t pages = bytes.size() / page_size;
  bytes.resize(pages * page_size);
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[kPageCount + i] = static_cast<std::uint8_t>(pages >> (24 - 8 * i));
    bytes[kValidFor + i] = bytes[kChangeCounter + i];
  }
}

/// In memory where that can be had: disks are asked to write a file out each time it is cut off and written again.
std::filesystem::path folder() {
  const std::filesystem::path memory = "/dev/shm";
  return access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

std::filesystem::path new_file() {
  std::string name = (folder() / "assay-fuzz-XXXXXX").native();
  const int made = mkstemp(name.data());
  if (made < 0) std::abort();
  close(made);
  static std::string to_remove = name;
  std::atexit([] { unlink(to_remove.c_str()); });
  return name;
}

}  // namespace

const std::filesystem::path& write_input(std::span<const std::uint8_t> bytes) {
  static const std::filesystem::path file = new_file();
  const int out = open(file.c_str(), O_WRONLY | O_TRUNC);
  if (out < 0 || write(out, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  close(out);
  return file;
}

const std::filesystem::path& write_database(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> changed(bytes.begin(), bytes.end());
  make_header_agree(changed);
  return write_input(changed);
}

}  // namespace assay::fuzz
