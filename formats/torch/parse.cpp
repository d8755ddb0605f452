#include "formats/torch/parse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "files/byte_order_mark.hpp"
#include "formats/torch/scan.hpp"
#include "formats/torch/slices_ahead.hpp"

namespace assay::load {
namespace {

using simdjson::error_code;
using simdjson::SUCCESS;

/// Events are parsed in slices of about this many bytes, so that simdjson's index of a slice stays in the cache.
constexpr std::size_t kSlice = std::size_t{1} << 18;

/// Text of fewer slices is read before other threads have begun.
constexpr std::size_t kMinForThreads = 8 * kSlice;

/// Events and names longer than this are skipped, since reading them would require keeping them in memory.
constexpr std::size_t kLongestValue = std::size_t{16} << 20;

/// After more damaged events than this, the rest of the file is not trusted.
constexpr std::int64_t kMaxDamaged = 100;

class Parse {
 public:
  Parse(TraceText& text, EventSink& sink, const HeaderValue& header, unsigned threads)
      : text_(text), sink_(sink), header_(header), threads_(threads), at_(text.begin()) {}

  ParseOutcome run();

 private:
  [[nodiscard]] std::size_t rest() const { return static_cast<std::size_t>(text_.end() - at_); }
  void move_to(const char* to) { at_ += to - at_; }
  bool next();
  const char* end_of_value();
  bool leave_out_long();
  bool skip_value();
  void read_document();
  void read_events();
  void read_some_events();
  bool read_ahead();
  bool hand_out_slice();
  char* behind_comma(char* gap) const;
  char* whole_events(std::size_t bytes);
  bool read_slice(char* stop);
  bool mend(error_code error, char* stop);
  void read_rest();
  void add_issues();

  TraceText& text_;
  EventSink& sink_;
  const HeaderValue& header_;
  unsigned threads_;
  char* at_;
  EventArray array_;
  std::int64_t damaged_ = 0, mended_ = 0, long_ = 0;
  bool truncated_ = false, stray_comma_ = false;
  ParseOutcome outcome_;
  std::optional<SlicesAhead> ahead_;
  char* handed_out_ = nullptr;  ///< the events to here, while other threads have any
  bool read_here_ = false;      ///< the next slice is not for them
};

ParseOutcome Parse::run() {
  at_ += rest() - without_byte_order_mark({at_, rest()}).size();
  if (!next()) {
    outcome_.refusal = "holds only white space";
  } else if (*at_ == '[') {
    read_events();
  } else if (*at_ == '{') {
    ++at_;
    read_document();
  } else {
    outcome_.refusal = "is not JSON";
  }
  read_rest();
  add_issues();
  return std::move(outcome_);
}

/// Skips white space; false at the end of the text.
bool Parse::next() {
  do {
    move_to(skip_space(at_, text_.end()));
    if (at_ < text_.end()) return true;
  } while (text_.more(at_));
  return false;
}

/// End of the value at at_; null if the text ends first or the value is longer than kLongestValue.
const char* Parse::end_of_value() {
  const auto look = [this] { return value_end(at_, at_ + std::min(rest(), kLongestValue)); };
  const char* end = look();
  while (end == nullptr && rest() < kLongestValue && text_.more(at_)) end = look();
  return end;
}

/// Skips the value at at_ if it was too long for end_of_value(); false if it was not, or if it never ends.
bool Parse::leave_out_long() {
  if (rest() < kLongestValue) return false;
  ++long_;
  return skip_value();
}

/// Skips the value at at_ without keeping it; false if the text ends first.
bool Parse::skip_value() {
  const bool scalar = *at_ != '"' && *at_ != '{' && *at_ != '[';
  std::size_t depth = 0;
  bool quoted = false, escaped = false;
  do {
    for (; at_ < text_.end(); ++at_) {
      const char c = *at_;
      if (quoted) {
        quoted = escaped || c != '"';
        escaped = !escaped && c == '\\';
      } else if (scalar) {
        if (is_space(c) || c == ',' || c == '}' || c == ']') return true;
        continue;
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      }
      if (quoted || depth > 0) continue;
      ++at_;
      return true;
    }
  } while (text_.more(at_));
  return false;
}

void Parse::read_document() {
  bool comma = false;
  while (next()) {
    if (*at_ == '}') {
      ++at_;
      return;
    }
    if (*at_ == ',') {
      stray_comma_ = stray_comma_ || comma;
      comma = true;
      ++at_;
      continue;
    }
    comma = false;
    const char* key_end = *at_ == '"' ? end_of_value() : nullptr;
    if (key_end == nullptr) break;
    const std::string key(at_ + 1, static_cast<std::size_t>(key_end - at_ - 2));
    move_to(key_end);
    if (!next() || *at_ != ':') break;
    ++at_;
    if (!next()) break;
    if (key == "traceEvents" && *at_ == '[') {
      read_events();
      if (truncated_) return;
      continue;
    }
    const char* end = end_of_value();
    if (end == nullptr && leave_out_long()) continue;
    if (end == nullptr) break;
    header_(key, {at_, static_cast<std::size_t>(end - at_)});
    move_to(end);
  }
  truncated_ = true;
}

/// Reads from the opening bracket at at_ to after the closing one.
void Parse::read_events() {
  outcome_.has_events = true;
  ++at_;
  while (!truncated_) {
    if (!next()) {
      truncated_ = true;
    } else if (*at_ == ']') {
      ++at_;
      return;
    } else if (*at_ == ',') {
      ++at_;
    } else {
      read_some_events();
    }
  }
}

/// Reads one slice, or skips an event that cannot be read.
void Parse::read_some_events() {
  if (read_ahead()) return;
  read_here_ = false;
  if (rest() <= kSlice) text_.more(at_);
  const char* gap = rest() > kSlice ? last_gap(at_, at_ + kSlice) : nullptr;
  if (gap != nullptr && read_slice(at_ + (gap - at_))) return;
  // Second attempt for the last events, for one longer than a slice, and for a false gap.
  for (const std::size_t bytes : {kSlice, std::size_t{0}}) {
    char* stop = whole_events(bytes);
    if (stop == nullptr) {
      truncated_ = !leave_out_long();
      return;
    }
    if (read_slice(stop)) return;
  }
  move_to(end_of_value());
  truncated_ = ++damaged_ > kMaxDamaged;
}

/// Takes events that other threads read, as long as they read what stands here; false: the next are read here. What
/// looked like a gap and was none shows in the slice before it, so that nothing behind that is taken.
bool Parse::read_ahead() {
  if (threads_ < 2 || read_here_ || (!ahead_ && rest() < kMinForThreads)) return false;
  try {
    if (!ahead_) ahead_.emplace(sink_, threads_);
  } catch (const std::system_error&) {
    threads_ = 1;
    return false;
  }
  handed_out_ = at_;
  bool taken = false;
  while (true) {
    while (!ahead_->full() && hand_out_slice()) {
    }
    if (ahead_->empty()) return taken;
    const SlicesAhead::Slice& slice = ahead_->front();
    if (!slice.whole) break;
    for (const Event& event : slice.events) sink_.on_event(event);
    outcome_.add(slice.counts);
    at_ = behind_comma(at_ + slice.size());
    ahead_->pop();
    taken = true;
  }
  ahead_->clear();
  read_here_ = true;
  return taken;
}

/// False where no more text ends in a gap.
bool Parse::hand_out_slice() {
  const auto left = [this] { return static_cast<std::size_t>(text_.end() - handed_out_); };
  if (left() <= kSlice) {
    const std::ptrdiff_t ahead = handed_out_ - at_;
    text_.more(at_);
    handed_out_ = at_ + ahead;
  }
  const char* stop = left() > kSlice ? last_gap(handed_out_, handed_out_ + kSlice) : nullptr;
  if (stop == nullptr) return false;
  ahead_->add(handed_out_, stop);
  handed_out_ = behind_comma(handed_out_ + (stop - handed_out_));
  return true;
}

/// The event behind a gap.
char* Parse::behind_comma(char* gap) const {
  const char* comma = skip_space(gap, text_.end());
  return gap + (skip_space(comma + 1, text_.end()) - gap);
}

/// End of the last event that ends within `bytes` from at_, or of the first one if it is longer; null if it does not
/// end or is too long.
char* Parse::whole_events(std::size_t bytes) {
  const char* end = end_of_value();
  if (end == nullptr) return nullptr;
  const char* limit = at_ + std::min(bytes, rest());
  while (end < limit) {
    const char* following = skip_space(end, limit);
    if (following == limit || *following != ',') break;
    following = skip_space(following + 1, limit);
    const char* following_end = value_end(following, limit);
    if (following_end == nullptr) break;
    end = following_end;
  }
  return at_ + (end - at_);
}

/// Reads the events from at_ to `stop` and moves at_ after those read. False if none was.
bool Parse::read_slice(char* stop) {
  // The slice is turned into an array in place.
  char* const begin = at_;
  const char first = begin[-1], last = *stop;
  begin[-1] = '[';
  *stop = ']';
  const error_code error =
      array_.read(begin - 1, stop + 1, sink_, outcome_, [&](const Event& event) { sink_.on_event(event); });
  begin[-1] = first;
  *stop = last;
  at_ = error == SUCCESS ? array_.closing() : array_.at();
  return at_ != begin || mend(error, stop);
}

/// Reads to the end of the text. Only there does the checksum show whether the data is intact: a flipped bit may change
/// numbers and leave the syntax valid, so nothing from a damaged file is trusted.
void Parse::read_rest() {
  const bool whole = outcome_.refusal.empty() && !truncated_;
  const bool more = next();
  for (bool text = more; text; text = text_.more(at_)) at_ = text_.end();
  if (!text_.damage().empty()) {
    outcome_.refusal = fmt::format("cannot be unpacked: {}", text_.damage());
  } else if (whole && more) {
    outcome_.refusal = "has more text after the end of the document, such as a second one";
  }
}

/// Repairs text that simdjson rejects as a whole: invalid UTF-8, and control characters inside strings.
bool Parse::mend(error_code error, char* stop) {
  if (error != simdjson::UTF8_ERROR && error != simdjson::UNESCAPED_CHARS) return false;
  for (char* c = at_; c < stop; ++c) {
    const auto byte = static_cast<unsigned char>(*c);
    if (error == simdjson::UNESCAPED_CHARS && byte < 0x20) *c = ' ';
    if (error == simdjson::UTF8_ERROR && byte >= 0x80) *c = '?';
  }
  ++mended_;
  return true;
}

void Parse::add_issues() {
  const auto events = static_cast<std::int64_t>(outcome_.events);
  const auto add = [&](const char* name, Severity severity, std::int64_t count, std::string what,
                       const std::string& remedy) {
    outcome_.issues.push_back({name, severity, count, what + (remedy.empty() ? "." : "; " + remedy + ".")});
    if (outcome_.first_issue.empty()) outcome_.first_issue = std::move(what);
  };
  const std::string again = "export the trace again", copy_again = "copy or " + again;
  if (truncated_ && outcome_.has_events) {
    add("truncated", Severity::kError, events,
        fmt::format("Only the first {} events could be read: the text ends or is damaged within an event", events),
        copy_again);
  } else if (truncated_ && outcome_.refusal.empty()) {
    outcome_.refusal = "is not JSON to its end";
  }
  if (stray_comma_) {
    add("damaged_header", Severity::kError, 0, "Between two entries of the trace's header an entry is missing (',,')",
        copy_again);
  }
  if (const std::int64_t damaged = damaged_ + outcome_.lost; damaged > 0) {
    add("damaged_events", Severity::kError, damaged, fmt::format("{} events are not JSON and are left out", damaged),
        again);
  }
  if (outcome_.odd > 0) {
    add("odd_events", Severity::kWarning, outcome_.odd,
        fmt::format("{} events lack a valid phase or a category, which every profiler writes, and are left out",
                    outcome_.odd),
        "");
  }
  if (long_ > 0) {
    add("long_values", Severity::kError, long_,
        fmt::format("{} events or entries are longer than {} MiB and are left out", long_, kLongestValue >> 20), again);
  }
  if (mended_ > 0) {
    add("bad_text", Severity::kWarning, mended_,
        "Some names hold bytes that are not UTF-8 or control characters; these are shown as '?' or blanks", "");
  }
}

}  // namespace

ParseOutcome parse_trace(TraceText& text, EventSink& sink, const HeaderValue& header, unsigned threads) {
  return Parse(text, sink, header, threads).run();
}

}  // namespace assay::load
