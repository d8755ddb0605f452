// Synthetic reports with a few rows, each an edge case that some analyzer missed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/abi.hpp"
#include "assay/testing/report_builder.hpp"

namespace assay::check {

using testing::ReportBuilder;

/// Id of the table of a column.
constexpr ColumnId table_of(ColumnId column) {
  return static_cast<ColumnId>(static_cast<std::uint16_t>(column) & 0xFF00);
}

struct SmallReport {
  std::string name;  ///< what is special about it: "one kernel"
  std::function<void(ReportBuilder&)> fill;
};

/// All of them; some depend on the analyzer's needs.
std::vector<SmallReport> small_reports(const Descriptor& declared);

/// Reports with all tables but without one optional column each, by the name of the column: an export need not have it.
std::vector<SmallReport> without_each_column(const Descriptor& declared);

/// Adds two devices, two threads and rows in every table: iterations with kernels, copies, ranges, operators and
/// measured counters. `scale` makes kernels longer and more numerous, so that reports differ.
void fill_every_table(ReportBuilder& b, int scale = 1);

}  // namespace assay::check
