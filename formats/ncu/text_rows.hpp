// Finds the rows of a CSV among the output of a profiled program and of Nsight Compute.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "formats/ncu/unreadable.hpp"

namespace assay::ncu {

/// Problems found between the rows of a file.
struct ReadProblems {
  std::string error;               ///< text of the first ==ERROR== lines, without the mark
  std::uint64_t errors = 0;        ///< lines with the mark
  std::uint64_t broken = 0;        ///< rows with unmatched quotes or a NUL byte
  std::uint64_t first_broken = 0;  ///< line number of the first of them, from 1
  bool cut_off = false;            ///< the file ends inside a row
};

/// Receives the cells and the line number of a row; the cells are valid during the call.
using TakeRow = std::function<void(std::span<const std::string> cells, std::uint64_t line)>;

/// Reads a file of any size in pieces and calls `take` for every row of quoted, comma-separated values (RFC 4180; a
/// quoted cell may span lines), or, after a header without quotes, for every line with a comma. Skips other lines:
/// program output, ==PROF==, ==WARNING==. A row with an unclosed quote costs only that row: the next line that starts a
/// row ends it. Throws Unreadable: the file cannot be read, is UTF-16, or has a row of more than 16 MiB.
ReadProblems read_text_rows(const std::filesystem::path& file, const TakeRow& on_row);

}  // namespace assay::ncu
