// The events of a piece of a trace, put in brackets.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "formats/torch/event.hpp"
#include "formats/torch/read_event.hpp"
#include "formats/torch/scan.hpp"

namespace assay::load {

/// What events came to beside those that a sink takes.
struct EventCounts {
  std::size_t events = 0;  ///< elements of traceEvents that were read, of whatever kind
  std::int64_t odd = 0;    ///< of those without a phase or category
  std::int64_t lost = 0;   ///< more, which stand inside of one of these: a quote is missing in it and in a later one
  /// Ranges of time that are not read, by category, or by process where they have none.
  std::map<std::string, std::int64_t> passed_over, without_category;
  std::map<std::string, std::string> process_names;  ///< of those that the trace names

  /// Of text that comes behind.
  void add(const EventCounts& later) {
    events += later.events;
    odd += later.odd;
    lost += later.lost;
    for (const auto& [category, count] : later.passed_over) passed_over[category] += count;
    for (const auto& [process, count] : later.without_category) without_category[process] += count;
    process_names.insert(later.process_names.begin(), later.process_names.end());
  }
};

/// How many events more than one the text of an event holds: a quote that is missing turns all to the next missing one
/// into a text, which no event that is passed over shows. `passed`: nothing of it was needed. Texts cannot have the key
/// of the phase with its quotes, and an event of usual length has no room for two.
inline std::int64_t events_lost_in(const char* begin, const char* end, bool passed) {
  constexpr std::ptrdiff_t kUsual = 1024, kUsualIfPassed = 400;
  constexpr std::string_view kPhase = "\"ph\"";
  if (end - begin <= (passed ? kUsualIfPassed : kUsual)) return 0;
  std::int64_t phases = 0;
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  for (std::size_t at = text.find(kPhase); at != std::string_view::npos; at = text.find(kPhase, at + kPhase.size()))
    ++phases;
  return std::max<std::int64_t>(phases - 1, 0);
}

class EventArray {
 public:
  /// Calls take(event) for the wanted events of the array in [begin, end), each when it is known to be whole.
  /// TraceText::kPadding bytes behind `end` can be read.
  template <class Take>
  simdjson::error_code read(char* begin, char* end, const EventSink& sink, EventCounts& counts, Take&& take);

  /// The start of the event that could not be read.
  [[nodiscard]] char* at() const { return at_; }
  /// The closing bracket; before the end of the array where it stands there.
  [[nodiscard]] char* closing() const { return closing_; }

 private:
  simdjson::ondemand::parser parser_;
  Event event_;
  char *at_ = nullptr, *closing_ = nullptr;
};

template <class Take>
simdjson::error_code EventArray::read(char* begin, char* end, const EventSink& sink, EventCounts& counts, Take&& take) {
  using simdjson::error_code;
  using simdjson::SUCCESS;
  const auto size = static_cast<std::size_t>(end - begin);
  at_ = begin + 1;
  closing_ = end - 1;
  simdjson::ondemand::document document;
  simdjson::ondemand::array array;
  if (const error_code error = parser_.iterate(begin, size, size + simdjson::SIMDJSON_PADDING).get(document))
    return error;
  if (const error_code error = document.get_array().get(array)) return error;
  bool wanted = false;
  std::size_t elements = 0;
  const auto finish = [&](const char* behind) {
    if (elements > 0) counts.lost += events_lost_in(at_, behind, !wanted);
    if (wanted) take(event_);
    counts.odd += elements > 0 && event_.odd ? 1 : 0;
    event_.odd = false;
    wanted = false;
    counts.events += elements > 0 ? 1 : 0;
  };
  const char* place = nullptr;
  for (auto element : array) {
    simdjson::ondemand::value value;
    if (const error_code error = std::move(element).get(value)) return error;
    if (const error_code error = document.current_location().get(place)) return error;
    // What is malformed can lead out of the array.
    if (place >= end || (elements > 0 && place <= at_)) return simdjson::TAPE_ERROR;
    finish(place);
    ++elements;
    at_ = begin + (place - begin);
    simdjson::ondemand::object object;
    if (value.get_object().get(object) != SUCCESS) continue;  // no event
    if (const error_code error = read_event(object, sink, event_, wanted)) return error;
    if (event_.unread == kNoCategory)
      ++counts.without_category[std::string(event_.process)];
    else if (!event_.unread.empty())
      ++counts.passed_over[std::string(event_.unread)];
    if (!event_.label.empty()) counts.process_names.emplace(event_.process, event_.label);
  }
  if (document.current_location().get(place) == SUCCESS && place < end) {
    const char* closing = place;
    while (closing > at_ && *closing != ']') --closing;
    if (skip_space(closing + 1, place) != place || closing == at_) return simdjson::TAPE_ERROR;
    closing_ = begin + (closing - begin);
  }
  finish(closing_);
  return SUCCESS;
}

}  // namespace assay::load
