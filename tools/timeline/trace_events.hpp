// Formats the events of a Chrome trace.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"
#include "files/staged_file.hpp"
#include "timeline/trace_tracks.hpp"

namespace assay {

/// The first member of the document identifies it.
inline const files::OutputKind kTimelineFile{.name = "a timeline that assay wrote",
                                             .begins = R"({"generator":"assay timeline")"};

/// A JSON string; replaces bytes that are not UTF-8.
inline std::string json_text(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Names as JSON, each formatted once.
class QuotedNames {
 public:
  explicit QuotedNames(const Report& report) : report_(report), quoted_(report.strings.size) {}
  const std::string& operator[](StringId id) {
    std::string& text = quoted_[id];
    if (text.empty()) text = json_text(id == 0 ? std::string_view("(no name)") : report_.string(id));
    return text;
  }
  /// Of a text that is no name of the report.
  const std::string& operator[](std::string_view text) {
    const auto at = texts_.find(text);
    return at != texts_.end() ? at->second : texts_.emplace(text, json_text(text)).first->second;
  }

 private:
  const Report& report_;
  std::vector<std::string> quoted_;
  std::map<std::string, std::string, std::less<>> texts_;
};

/// Formats events in its own buffer, because formatted stream output would cost more than all the rest.
class TraceEvents {
 public:
  explicit TraceEvents(std::ostream& to) : to_(to), buffer_(kFlushAt + kLongEvent) {
    append(kTimelineFile.begins);
    append(",\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  }
  /// A unique arrow number.
  std::int64_t next_arrow() { return ++arrow_; }
  /// Reserves numbers up to this one.
  void keep_arrows(std::int64_t until) { arrow_ = until; }

  /// One object, to be ended.
  TraceEvents& begin(std::string_view phase, Track track) {
    append(first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
    append(phase);
    append("\",\"pid\":");
    first_ = false;
    append(track.process);
    append(",\"tid\":");
    append(track.thread);
    return *this;
  }
  TraceEvents& field(std::string_view name, std::int64_t value) {
    append(",\"");
    append(name);
    append("\":");
    append(value);
    return *this;
  }
  TraceEvents& field(std::string_view name, std::string_view json) {
    append(",\"");
    append(name);
    append("\":");
    append(json);
    return *this;
  }
  /// Writes ns as us with three decimal places.
  TraceEvents& time(std::string_view name, std::int64_t ns) {
    append(",\"");
    append(name);
    append(ns < 0 ? "\":-" : "\":");
    const auto magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    append(static_cast<std::int64_t>(magnitude / 1000));
    const auto rest = static_cast<int>(magnitude % 1000);
    const char places[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
    append({places, sizeof places});
    return *this;
  }
  /// A member of `args`; behind the first one come only others.
  template <class Value>
  TraceEvents& arg(std::string_view name, const Value& value) {
    if (!in_args_) append(",\"args\":{\"");
    return in_args_ ? field(name, value) : first_arg(name, value);
  }
  /// An array of three.
  TraceEvents& arg(std::string_view name, std::int64_t x, std::int64_t y, std::int64_t z) {
    arg(name, std::string_view("["));
    append(x);
    append(",");
    append(y);
    append(",");
    append(z);
    append("]");
    return *this;
  }
  void end(std::string_view rest = {}) {
    append(rest);
    append(in_args_ ? "}}" : "}");
    in_args_ = false;
    if (used_ > kFlushAt) flush();
  }
  /// Closes the document.
  void finish() {
    append("\n]}\n");
    flush();
  }

 private:
  static constexpr std::size_t kFlushAt = std::size_t{1} << 20, kLongEvent = 4096, kDigits = 20;

  template <class Value>
  TraceEvents& first_arg(std::string_view name, const Value& value) {
    in_args_ = true;
    append(name);
    append("\":");
    append(value);
    return *this;
  }
  void append(std::string_view text) {
    make_room(text.size());
    std::memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  void append(std::int64_t value) {
    make_room(kDigits);
    char* const at = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(at, at + kDigits, value).ptr - at);
  }
  void make_room(std::size_t bytes) {
    if (buffer_.size() - used_ < bytes) buffer_.resize(2 * buffer_.size() + bytes);
  }
  void flush() {
    to_.write(buffer_.data(), static_cast<std::streamsize>(used_));
    used_ = 0;
  }

  std::ostream& to_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  bool first_ = true, in_args_ = false;
  std::int64_t arrow_ = 0;
};

}  // namespace assay
