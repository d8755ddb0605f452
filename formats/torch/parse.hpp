// Parses the document of a trace: events go to a sink, everything else is reported by name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/torch/event.hpp"
#include "formats/torch/event_array.hpp"
#include "formats/torch/text.hpp"
#include "load/issue.hpp"

namespace assay::load {

struct ParseOutcome : EventCounts {
  bool has_events = false;  ///< there is a traceEvents
  std::vector<Issue> issues;
  std::string first_issue;  ///< of the first damage, without remedy and full stop
  std::string refusal;      ///< part of a sentence; not empty: this is not a trace document at all
};

/// `header` receives every other top-level value as text; kPadding bytes after it are readable.
using HeaderValue = std::function<void(std::string_view key, std::string_view value)>;

/// Reads the text to its end, also where no more of it is believed: the end of packed text tells whether all of it is
/// what was packed, and a refusal takes back the events handed over. Events come in the order of the file, each once,
/// from this thread, however many `threads` read them.
ParseOutcome parse_trace(TraceText& text, EventSink& sink, const HeaderValue& header, unsigned threads = 1);

}  // namespace assay::load
