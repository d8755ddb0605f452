// Reports that only NVIDIA's programs can read, and the exports to create from them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convert/tool.hpp"
#include "result.hpp"

namespace assay::convert {

/// A file to create next to its report.
struct Export {
  std::filesystem::path file;
  std::string page;  ///< of Nsight Compute ("raw", "details"); empty: the SQLite export of Nsight Systems
};

struct Source {
  Tool tool = Tool::kNsys;
  std::filesystem::path report;
  std::vector<Export> exports;
  std::string problem;  ///< why it cannot be converted, as a sentence; empty if it can
};

struct Sources {
  std::vector<Source> list;        ///< in the order of the places, then by path (bytewise), without duplicates
  std::vector<std::string> notes;  ///< sentences on folders that were not entered
};

/// Reports at `places`: files, or folders recursively (following links to folders). Error: a place that does not exist,
/// or a file that is not such a report.
Result<Sources> find_sources(std::span<const std::filesystem::path> places);

}  // namespace assay::convert
