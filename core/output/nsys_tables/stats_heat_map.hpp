// A drawing of how much each device was in use over time.
#pragma once

#include <map>
#include <string>

#include "analyze/facts.hpp"

namespace assay {

struct HeatMap {
  std::string svg;   ///< a file of its own
  std::string html;  ///< a page with the drawing and how to read it; it fetches nothing
};

/// Of a table with the columns Rank, Report, Device ID, PID, Start and Duration (ns) and In-Use (%): one line a device
/// of a process, in the order of the rows, one field a row. 100 % and more is one colour. `remarks`: what is to be said
/// of a report, by its name; it stands beside it on the page.
HeatMap heat_map_of(const OwnedTable& table, const std::map<std::string, std::string>& remarks);

}  // namespace assay
