#include "timeline/allocation_counters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>

namespace assay {

void write_allocations(const AllocationTable& allocations, const TraceRange& range,
                       const std::function<std::int64_t(std::int64_t)>& on_trace, TraceTracks& tracks,
                       TraceEvents& to) {
  const AllocationTable& t = allocations;
  std::map<std::int32_t, std::string> names;
  std::int64_t process = 0;
  for (std::size_t a = 0; a < t.rows; ++a) {
    if (t.device[a] == kNone || t.allocated[a] == kNone || !range.shows(t.time[a], t.time[a])) continue;
    std::string& name = names[t.device[a]];
    if (name.empty()) {
      name = json_text(fmt::format("memory of GPU {}", t.device[a]));
      process = tracks.process_of(tracks.host(0, "allocations"));
    }
    to.begin("C", {process, 0})
        .time("ts", on_trace(t.time[a]))
        .field("name", name)
        .arg("allocated", t.allocated[a])
        .arg("reserved and free", std::max<std::int64_t>(t.reserved[a] - t.allocated[a], 0))
        .end();
  }
}

}  // namespace assay
