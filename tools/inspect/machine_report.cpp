#include "inspect/machine_report.hpp"

#include <fmt/core.h>

#include <iostream>

#include "cli/terminal.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"
#include "some_of.hpp"

namespace assay {

void MachineReport::found(const Helper& helper, const std::filesystem::path& program, const std::string& version) {
  row(helper.name, program.string(), version.empty() ? "-" : version, helper.purpose);
}

void MachineReport::missing(const Helper& helper, const std::string& why) {
  row(helper.name, "missing", "-", helper.purpose);
  advise(fmt::format("{}: {}{}", std::string(helper.name), why.empty() ? "" : why + "; ", helper.advice));
}

void MachineReport::row(const std::string& what, const std::string& found, const std::string& version,
                        const std::string& purpose) {
  rows_.push_back({{what, found, version, purpose}, {}});
}

void MachineReport::advise(const std::string& sentence) { rows_.back().advice.push_back(sentence); }

void MachineReport::print(RowFormat format) const {
  const bool for_people = format == RowFormat::kTable;
  std::vector<TextTable::Column> columns{{"what"}, {"found"}, {"version"}, {"for"}};
  if (!for_people) columns.push_back({"advice"});
  TextTable table(std::move(columns));
  std::string advice;
  for (const Row& row : rows_) {
    std::vector<std::string> cells = row.cells;
    if (!for_people) cells.push_back(some_of(row.advice, row.advice.size()));
    table.row(cells);
    for (const std::string& line : row.advice) advice += "  " + one_line(line) + "\n";
  }
  table.write(std::cout, format, table_width());
  if (for_people && !advice.empty()) std::cout << "\nWhat is missing or wrong\n" << advice;
}

}  // namespace assay
