// Reads a file, or bytes in memory, from front to back through a window.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::pickles {

class ByteSource {
 public:
  static constexpr std::size_t kWindow = std::size_t{256} << 10;

  /// Opens the file; `is_open` is false on failure. Other window sizes are for tests.
  explicit ByteSource(const std::filesystem::path& path, std::size_t window = kWindow);
  /// The bytes must outlive the source.
  explicit ByteSource(std::string_view bytes);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  [[nodiscard]] std::uint64_t file_size() const { return file_size_; }
  /// Bytes consumed so far.
  [[nodiscard]] std::uint64_t position() const { return begin_ + static_cast<std::uint64_t>(next_ - base_); }

  /// Whether `size` bytes are in the window, after reading more if needed. False: the file ends earlier or cannot be
  /// read.
  bool has(std::uint64_t size) { return static_cast<std::uint64_t>(end_ - next_) >= size || read_on(size); }
  /// The next bytes, for which `has` must have returned true. Valid until the next `has`.
  const std::uint8_t* read_bytes(std::size_t size) {
    const std::uint8_t* bytes = next_;
    next_ += size;
    return bytes;
  }
  [[nodiscard]] const std::uint8_t* peek() const { return next_; }
  /// Little-endian number; its bytes must be available.
  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, read_bytes(sizeof(Number)), sizeof(Number));
    return value;
  }
  /// Whether more was read since the last call.
  bool moved() { return std::exchange(moved_, false); }

 private:
  bool read_on(std::uint64_t size);

  int file_ = -1;
  std::uint64_t file_size_ = 0, begin_ = 0;  // begin: offset of the window in the file
  std::vector<std::uint8_t> window_;
  const std::uint8_t* base_ = nullptr;  // of the window, or of bytes in memory
  const std::uint8_t* next_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool moved_ = false;
};

}  // namespace assay::pickles
