#include "log_lines.hpp"

#include <cstring>
#include <stdexcept>

namespace assay::torch_compile {

std::optional<LogLine> log_line(std::string_view line) {
  constexpr std::int64_t kDaysBefore[] = {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335};
  constexpr std::size_t kMaxHead = 63, kMaxBefore = 32;
  if (const std::size_t word = line.find("]: "); word < kMaxBefore) line.remove_prefix(word + 3);
  char head[kMaxHead + 1] = {};
  line.copy(head, kMaxHead);
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0, micro = 0;
  long long process = 0;
  const std::size_t json = line.find("] {");
  if (std::strchr("VIWEC", head[0]) == nullptr || json == std::string_view::npos ||
      std::sscanf(head + 1, "%2u%2u %2u:%2u:%2u.%6u %lld", &month, &day, &hour, &minute, &second, &micro, &process) !=
          7 ||
      month < 1 || month > 12)
    return std::nullopt;
  const std::int64_t seconds = (((kDaysBefore[month - 1] + day - 1) * 24 + hour) * 60 + minute) * 60 + second;
  return LogLine{(seconds * 1'000'000 + micro) * 1000, process, line.substr(json + 2)};
}

constexpr std::size_t kPiece = std::size_t{1} << 20U, kMaxLine = std::size_t{256} << 20U, kPadding = 64;

LineSource::LineSource(const std::string& path)
    : file_(std::fopen(path.c_str(), "rb"), &std::fclose), buffer_(kPiece + kPadding, '\0') {
  if (!file_) throw std::runtime_error("it cannot be opened");
}

/// Reads more behind what is left; false at the end of the file.
bool LineSource::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ > kMaxLine) end_ = 0;
  if (end_ + kPadding >= buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t read = std::fread(buffer_.data() + end_, 1, buffer_.size() - kPadding - end_, file_.get());
  end_ += read;
  return read > 0;
}

std::optional<std::string_view> LineSource::next() {
  std::size_t searched = 0;
  const void* found = nullptr;
  while ((found = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched)) == nullptr) {
    searched = end_ - begin_;
    if (!fill()) break;
    if (searched > end_) searched = 0;
  }
  if (found == nullptr && begin_ == end_) return std::nullopt;
  const char* const line = buffer_.data() + begin_;
  const char* const end = found == nullptr ? buffer_.data() + end_ : static_cast<const char*>(found);
  begin_ += static_cast<std::size_t>(end - line) + (found == nullptr ? 0 : 1);
  return std::string_view(line, static_cast<std::size_t>(end - line));
}

}  // namespace assay::torch_compile
