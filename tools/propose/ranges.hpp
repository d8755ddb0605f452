// Which NVTX ranges are iterations, and which one contains the measured part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::init {

/// The ranges of one report by name, and which of them are its steps.
struct RangesOfReport {
  struct Range {
    std::uint64_t count = 0;
    std::int64_t start = 0, end = 0;  ///< from the first start to the last end, ns
    std::int64_t time = 0;            ///< sum of their durations, ns
    void add(const Range& other) {
      start = count == 0 ? other.start : std::min(start, other.start);
      end = count == 0 ? other.end : std::max(end, other.end);
      time += other.time;
      count += other.count;
    }
  };
  std::string steps;  ///< folded name, as found by step_name; empty: none
  std::map<std::string, Range> by_name;
};

/// Folded names of the ranges of a server that every report has; empty lists: none.
struct ServerRanges {
  std::vector<std::string> request = {}, prefill = {}, decode = {};
  bool steps_named = false;  ///< the server itself names its steps, as listed in data/serving_names.toml
  [[nodiscard]] bool any() const { return steps_named || !decode.empty(); }
};

struct ProposedRanges {
  std::string steps;       ///< "test_vit_forward_{i}"; empty: not all reports have steps with one name
  std::string iterations;  ///< the same in the notation of [iterations]; empty: it has several numbers, or there is
                           ///< none
  std::uint64_t least = 0, most = 0;  ///< iterations a report
  bool optimizer =
      false;           ///< `iterations` is the range of the optimizer, one per training step, since no range is a step
  std::string window;  ///< a range around them that every report has; empty: the whole capture
  ServerRanges server = {};
  std::vector<std::string> seen;  ///< folded names of ranges, those with the most time first
};

/// For reports that have ranges.
ProposedRanges ranges_of(const std::vector<RangesOfReport>& reports);

}  // namespace assay::init
