// Made-up reports of a few rows, each of which some analyzer did not expect.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assay/abi.hpp"
#include "assay/testing/report_builder.hpp"

namespace assay::check {

using testing::ReportBuilder;

struct SmallReport {
  std::string name;  ///< what is special: "one kernel"
  std::function<void(ReportBuilder&)> fill;
};

/// All of them. Some depend on what the analyzer needs.
std::vector<SmallReport> small_reports(const Descriptor& declared);

/// Every table filled, without one optional column each, by the column's name: an export need not have it.
std::vector<SmallReport> without_each_column(const Descriptor& declared);

/// Two devices, two threads and something in every table: iterations with kernels, copies, ranges, operators and
/// measured counters. `scale` makes kernels longer and more, so that reports differ.
void fill_every_table(ReportBuilder& b, int scale = 1);

}  // namespace assay::check
