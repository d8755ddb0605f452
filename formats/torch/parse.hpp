// The document of a trace: its events to a sink, everything else by name.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "formats/torch/event.hpp"
#include "formats/torch/text.hpp"
#include "load/issue.hpp"

namespace assay::load {

struct ParseOutcome {
  std::size_t events = 0;   ///< elements of traceEvents that were read, of whatever kind
  bool has_events = false;  ///< there is a traceEvents
  /// Ranges of time that are not read, by category, or by process where they have none.
  std::map<std::string, std::int64_t> passed_over, without_category;
  std::map<std::string, std::string> process_names;  ///< of those that the trace names
  std::vector<Issue> issues;
  std::string first_issue;  ///< what the first of them says, without its remedy and full stop
  std::string refusal;      ///< part of a sentence; not empty: this is no document of that kind at all
};

/// `header` gets every other value on the top level, as it stands in the text; kPadding bytes behind it can be read.
using HeaderValue = std::function<void(std::string_view key, std::string_view value)>;

/// Reads the text to its end, also where no more of it is believed: the end of packed text tells whether all of it is
/// what was packed, and a refusal takes back the events handed over. Events come in the order of the file, each once.
ParseOutcome parse_trace(TraceText& text, EventSink& sink, const HeaderValue& header);

}  // namespace assay::load
