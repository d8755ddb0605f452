#include "process/peak_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace assay::process {
namespace {

/// Value in bytes of a line "NAME:   123 kB" of the process status; 0 if missing.
std::uint64_t status_bytes(std::string_view name) {
  std::array<char, 8192> bytes{};
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file == -1) return 0;
  const ssize_t size = read(file, bytes.data(), bytes.size());
  close(file);
  const std::string_view text(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return 0;
  const std::size_t digits = text.find_first_of("0123456789", at + name.size());
  if (digits == std::string_view::npos) return 0;
  std::uint64_t kilobytes = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), kilobytes);
  return kilobytes << 10;
}

/// Resets the kernel's peak to the resident size. If that is not allowed, later peaks may include earlier work.
void forget_earlier_peak() {
  const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file == -1) return;
  static_cast<void>(!write(file, "5", 1));
  close(file);
}

}  // namespace

PeakMemory::PeakMemory() {
  forget_earlier_peak();
  start_ = status_bytes("VmRSS:");
}

std::uint64_t PeakMemory::bytes() const {
  const std::uint64_t peak = status_bytes("VmHWM:");
  return peak > start_ ? peak - start_ : 0;
}

}  // namespace assay::process
