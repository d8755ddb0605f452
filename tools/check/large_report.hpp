// A synthetic profile of any size, as regular as a training loop: iterations of layers of kernels, each with its
// launch.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "assay/detail/step_finder.hpp"
#include "assay/report.hpp"
#include "assay/testing/report_rows.hpp"

namespace assay::check {

class LargeReport {
 public:
  /// `kernels` on one device and stream, 10 us apart, 4 to 8 us long, with 200 names; one call per kernel, a copy every
  /// 10, a range and an operator per layer of 100, and an iteration every 1000. Has only the tables and columns in
  /// `wanted`, like a report that the host read.
  LargeReport(std::size_t kernels, const std::set<ColumnId>& wanted);
  LargeReport(const LargeReport&) = delete;
  LargeReport& operator=(const LargeReport&) = delete;

  [[nodiscard]] const Report& report() const { return built_.report; }

 private:
  [[nodiscard]] bool asked(ColumnId column) const { return wanted_.contains(column); }
  [[nodiscard]] bool has_table(ColumnId table) const;
  template <class T, class Cell>
  Column<T> column(std::size_t rows, const Cell& cell);
  template <class T, class Cell>
  Column<T> column(ColumnId id, std::size_t rows, const Cell& cell);
  template <class Table>
  void work(Table& table, std::size_t rows, std::size_t every);
  void name_things();
  void make_kernels();
  void make_copies();
  void make_calls();
  void make_ranges();
  void make_iterations();
  void make_ops();
  void make_hosts();

  std::size_t kernels_;
  std::set<ColumnId> wanted_;
  testing::ColumnPool pool_;
  testing::BuiltReport built_;
  step::StepRows steps_;
  std::vector<std::string> names_;
};

}  // namespace assay::check
