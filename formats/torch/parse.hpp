// Parses the document of a trace: events go to a sink, everything else is reported by name.
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
  std::size_t events = 0;   ///< elements of traceEvents that were read, of any kind
  bool has_events = false;  ///< there is a traceEvents
  /// Skipped time ranges, by category, or by process if they have none.
  std::map<std::string, std::int64_t> passed_over, without_category;
  std::map<std::string, std::string> process_names;  ///< of the processes named by the trace
  std::vector<Issue> issues;
  std::string first_issue;  ///< of the first damage, without remedy and full stop
  std::string refusal;      ///< part of a sentence; not empty: this is not a trace document at all
};

/// `header` receives every other top-level value as text; kPadding bytes after it are readable.
using HeaderValue = std::function<void(std::string_view key, std::string_view value)>;

/// Reads the text to its end, even if the rest is no longer trusted: only the end of compressed text shows whether it
/// is intact, and a refusal revokes all events sent. Events arrive once each, in file order.
ParseOutcome parse_trace(TraceText& text, EventSink& sink, const HeaderValue& header);

}  // namespace assay::load
