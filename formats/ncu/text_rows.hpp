// The rows of a CSV among whatever else a profiled program and Nsight Compute printed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "result.hpp"

namespace assay::load {

/// What stood in a file beside the rows.
struct ReadProblems {
  std::string error;               ///< text of the first ==ERROR== lines, without the mark
  std::uint64_t errors = 0;        ///< lines with the mark
  std::uint64_t broken = 0;        ///< rows whose quotes do not match, or that hold a NUL byte
  std::uint64_t first_broken = 0;  ///< line of the first of them, from 1
  bool cut_off = false;            ///< the file ends inside a row
};

/// Called with the cells of a row and its line; the cells live for the call.
using TakeRow = std::function<void(std::span<const std::string> cells, std::uint64_t line)>;

/// Reads a file of any size in pieces and calls `on_row` for every line that is a row of quoted, comma-separated values
/// (RFC 4180; a quoted cell may span lines), or, after a header without quotes, any line with a comma. Lines of other
/// kinds are passed over: program output, ==PROF==, ==WARNING==. A row whose quotes never close costs that row alone:
/// the next line that begins a row ends it. Error: the file cannot be read, is UTF-16, or has a row of more than 16
/// MiB.
Result<ReadProblems> read_text_rows(const std::filesystem::path& file, const TakeRow& on_row);

}  // namespace assay::load
