// --format of commands that list.
#pragma once

#include <map>
#include <string>

#include "cli/command_line.hpp"
#include "render/text_table.hpp"

namespace assay {

/// CSV and JSON print the rows alone; only the table has text around it.
inline void add_format(CLI::App& command, RowFormat& to) {
  const std::map<std::string, RowFormat> formats{
      {"table", RowFormat::kTable}, {"csv", RowFormat::kCsv}, {"json", RowFormat::kJson}};
  command.add_option("--format", to, "How rows are written: table, csv or json (default: table)")
      ->type_name("table|csv|json")
      ->transform(CLI::CheckedTransformer(formats));
}

}  // namespace assay
