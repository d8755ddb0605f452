// Which NVTX ranges are iterations, and which one holds what is measured.
#pragma once

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
  };
  std::string steps;  ///< folded name, as step_name finds it; empty: none
  std::map<std::string, Range> by_name;
};

/// Folded names of the ranges of a server, in every report; empty lists: none.
struct ServerRanges {
  std::vector<std::string> request = {}, prefill = {}, decode = {};
  bool steps_named = false;  ///< the server itself names its steps, as data/serving_names.toml knows
  [[nodiscard]] bool any() const { return steps_named || !decode.empty(); }
};

struct ProposedRanges {
  std::string steps;       ///< "test_vit_forward_{i}"; empty: not all reports have steps of one name
  std::string iterations;  ///< the same as [iterations] can name it; empty: it has several numbers, or there is none
  std::uint64_t least = 0, most = 0;  ///< iterations a report
  bool optimizer =
      false;           ///< `iterations` is the range of the optimizer, one per training step, since no range is a step
  std::string window;  ///< a range around them that every report has; empty: the whole capture
  ServerRanges server = {};
  std::vector<std::string> seen;  ///< folded names of ranges, those with most time first
};

/// Of reports that have ranges at all.
ProposedRanges ranges_of(const std::vector<RangesOfReport>& reports);

}  // namespace assay::init
