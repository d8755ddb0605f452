// The text of a trace, plain or gzip, in a buffer that its reader may write to.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "result.hpp"

namespace assay::load {

/// A window onto the text. One byte before `begin` and kPadding bytes behind `end` may be read and written too. A gzip
/// file of at most 256 MiB of text whose trailer can be believed is one window, inflated at once; all else comes in
/// windows of some megabytes, of gzip inflated ahead on a second thread where there may be one.
class TraceText {
 public:
  static constexpr std::size_t kPadding = 128;  ///< more than the 64 that simdjson reads
  static constexpr std::size_t kWindow = std::size_t{8} << 20;

  /// With one of `threads` the text is inflated where it is read. Error: the file cannot be opened, or is empty.
  static Result<TraceText> open(const std::filesystem::path& file, unsigned threads = 1, std::size_t window = kWindow);

  [[nodiscard]] char* begin() const { return buffer_.get() + 1; }
  [[nodiscard]] char* end() const { return end_; }
  /// Forgets what lies before `from`, moves the rest and `from` with it, and adds more text behind. False when there is
  /// no more.
  bool more(char*& from);

  /// Why the text is not what was packed, as part of a sentence: damaged data, a wrong or missing checksum or length,
  /// something behind them. Empty when it is, which is known only at the end of the text; always empty of plain text.
  [[nodiscard]] const std::string& damage() const { return *damage_; }

 private:
  /// Fills at most `room` bytes; 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t room)>;
  TraceText() : damage_(std::make_unique<std::string>()) {}
  struct Free {
    void operator()(char* bytes) const;
  };
  using Buffer = std::unique_ptr<char, Free>;

  static Source ahead(Source source);
  static Buffer uncleared(std::size_t text);
  static Buffer inflate_at_once(std::FILE* file, std::size_t packed_size, std::size_t& size);
  static TraceText whole(Buffer buffer, std::size_t size);

  Buffer buffer_;
  char* end_ = nullptr;
  std::size_t room_ = 0;  ///< bytes of text that the buffer can hold
  std::size_t window_ = 0;
  Source source_;                        ///< empty: all is there
  std::unique_ptr<std::string> damage_;  ///< at a fixed place: the source writes to it
};

}  // namespace assay::load
