// Formats the events of a Chrome trace.
#pragma once

#include <charconv>
#include <cstdint>
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

 private:
  const Report& report_;
  std::vector<std::string> quoted_;
};

/// Formats events in its own buffer, because formatted stream output would cost more than all the rest.
class TraceEvents {
 public:
  explicit TraceEvents(std::ostream& to) : to_(to) {
    buffer_ = kTimelineFile.begins + ",\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  }
  /// A unique arrow number.
  std::int64_t next_arrow() { return ++arrow_; }
  /// Reserves numbers up to this one.
  void keep_arrows(std::int64_t until) { arrow_ = until; }

  /// Begins an object; `fields` ends it except for its brace.
  TraceEvents& begin(std::string_view phase, Track track) {
    buffer_ += first_ ? "\n" : ",\n";
    first_ = false;
    buffer_.append("{\"ph\":\"").append(phase).append("\",\"pid\":");
    add(track.process);
    buffer_ += ",\"tid\":";
    return add(track.thread);
  }
  TraceEvents& field(std::string_view name, std::int64_t value) { return key(name).add(value); }
  TraceEvents& field(std::string_view name, const std::string& json) {
    key(name).buffer_ += json;
    return *this;
  }
  /// Writes ns as us with three decimal places.
  TraceEvents& time(std::string_view name, std::int64_t ns) {
    key(name);
    const auto magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    if (ns < 0) buffer_ += '-';
    add(static_cast<std::int64_t>(magnitude / 1000));
    const auto rest = static_cast<int>(magnitude % 1000);
    buffer_ += '.';
    for (const int digit : {rest / 100, rest / 10 % 10, rest % 10}) buffer_ += static_cast<char>('0' + digit);
    return *this;
  }
  void end(std::string_view tail = "}") {
    buffer_ += tail;
    if (buffer_.size() > kFlushAt) flush();
  }
  /// Closes the document.
  void finish() {
    buffer_ += "\n]}\n";
    flush();
  }

 private:
  static constexpr std::size_t kFlushAt = 1U << 20;

  TraceEvents& key(std::string_view name) {
    buffer_.append(",\"").append(name).append("\":");
    return *this;
  }
  TraceEvents& add(std::int64_t value) {
    char text[24];
    const auto [end, code] = std::to_chars(text, text + sizeof text, value);
    buffer_.append(text, end);
    return *this;
  }
  void flush() {
    to_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  std::ostream& to_;
  std::string buffer_;
  bool first_ = true;
  std::int64_t arrow_ = 0;
};

}  // namespace assay
