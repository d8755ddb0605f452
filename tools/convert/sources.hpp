// Reports that only NVIDIA's programs can read, and the files that they are to become.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "convert/tool.hpp"
#include "result.hpp"

namespace assay::convert {

/// One file to make, beside its report.
struct Export {
  std::filesystem::path file;
  std::string page;  ///< of Nsight Compute ("raw", "details"); empty for the SQLite export of Nsight Systems
};

struct Source {
  Tool tool = Tool::kNsys;
  std::filesystem::path report;
  std::vector<Export> exports;
  std::string problem;  ///< why it cannot be converted at all, as a sentence; empty when it can
};

struct Sources {
  std::vector<Source> list;        ///< in the order of the places, below each by path (bytewise), each report once
  std::vector<std::string> notes;  ///< folders that were not entered, as sentences
};

/// Reports at `places`: files, or folders with all below them (links to folders are followed). Error: a place that
/// is not there, or a file that is no such report.
Result<Sources> find_sources(std::span<const std::filesystem::path> places);

}  // namespace assay::convert
