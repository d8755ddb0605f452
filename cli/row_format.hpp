// --format, for commands that list rows.
#pragma once

#include <map>
#include <string>

#include "cli/command_line.hpp"
#include "render/rows.hpp"

namespace assay {

/// Formats by the words of the option.
inline const std::map<std::string, RowFormat>& row_formats() {
  static const std::map<std::string, RowFormat> formats{
      {"table", RowFormat::kTable}, {"csv", RowFormat::kCsv}, {"json", RowFormat::kJson}, {"line", RowFormat::kLine}};
  return formats;
}

/// CSV and JSON print only the rows; the table has text around it. `lines`: also offers `line`.
/// For a RowFormat, or an optional one.
template <class Format>
CLI::Option* add_format(CLI::App& command, Format& to, bool lines = false, const char* name = "--format");

}  // namespace assay
