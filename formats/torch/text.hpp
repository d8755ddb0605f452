// The text of a trace, plain or gzip, in a buffer that its reader may modify.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "result.hpp"

namespace assay::load {

/// A window onto the text. One byte before `begin` and kPadding bytes after `end` may be read and written as well. A
/// gzip file with at most 256 MiB of text and a plausible trailer is a single window, decompressed at once; others
/// arrive in windows of a few megabytes, decompressed ahead on a second thread if available.
class TraceText {
 public:
  static constexpr std::size_t kPadding = 128;  ///< simdjson reads up to 64
  static constexpr std::size_t kWindow = std::size_t{8} << 20;

  /// With one of `threads` the text is decompressed by the reader. Error: the file cannot be opened or is empty.
  static Result<TraceText> open(const std::filesystem::path& file, unsigned threads = 1, std::size_t window = kWindow);

  [[nodiscard]] char* begin() const { return buffer_.get() + 1; }
  [[nodiscard]] char* end() const { return end_; }
  /// Discards the text before `from`, moves the rest together with `from`, and appends more text. False at the end.
  bool more(char*& from);

  /// Why the text differs from what was compressed, as part of a sentence: damaged data, a wrong or missing checksum or
  /// length, trailing data. Only known at the end of the text; always empty for plain text.
  [[nodiscard]] const std::string& damage() const { return *damage_; }

 private:
  /// Fills at most `room` bytes; returns 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t room)>;
  TraceText() : damage_(std::make_unique<std::string>()) {}
  struct Free {
    void operator()(char* bytes) const;
  };
  using Buffer = std::unique_ptr<char, Free>;

  static Source ahead(Source source);
  static Buffer uncleared(std::size_t& text);
  static Buffer inflate_at_once(std::FILE* file, std::size_t packed_size, std::size_t& size);
  static TraceText whole(Buffer buffer, std::size_t size);

  Buffer buffer_;
  char* end_ = nullptr;
  std::size_t room_ = 0;  ///< capacity of the buffer in bytes
  std::size_t window_ = 0;
  Source source_;                        ///< empty: everything is read
  std::unique_ptr<std::string> damage_;  ///< at a fixed address: the source writes to it
};

}  // namespace assay::load
