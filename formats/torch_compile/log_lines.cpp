#include "log_lines.hpp"

#include <cstdio>
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

constexpr std::streamsize kPiece = 1 << 18, kMaxLine = 1 << 26, kPadding = 64;

LineSource::LineSource(const std::string& path)
    : buffer_(std::make_unique_for_overwrite<char[]>(kPiece)),
      line_(std::make_unique_for_overwrite<char[]>(kMaxLine + kPadding)) {
  in_.rdbuf()->pubsetbuf(buffer_.get(), kPiece);
  in_.open(path, std::ios::binary);
  if (!in_) throw std::runtime_error("it cannot be opened");
}

std::optional<std::string_view> LineSource::next() {
  in_.getline(line_.get(), kMaxLine);
  const std::streamsize read = in_.gcount();
  if (in_.fail() && read == 0) return std::nullopt;
  const bool has_end = !in_.eof() && !in_.fail();
  if (in_.fail()) in_.clear();
  return std::string_view(line_.get(), static_cast<std::size_t>(read - (has_end ? 1 : 0)));
}

}  // namespace assay::torch_compile
