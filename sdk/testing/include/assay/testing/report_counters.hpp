// The part of ReportBuilder for Nsight Compute: profiled launches and their counters.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/testing/report_rows.hpp"

namespace assay::testing {

struct ProfiledOptions {
  Dim3 grid = {}, block = {};
  std::int64_t id = kNone;  ///< kNone: its index among the launches added
  std::int64_t process = 1;
  std::string short_name = {};  ///< empty: the name up to '<' or '('
  std::int32_t device = 0, context = 1, stream = 7;
};

struct CounterOptions {
  std::string unit = {}, section = {};  ///< empty: a plain number; no section
};

/// Rows keep the order of addition; those with equal name and launch shape form a group.
class ProfiledRows {
 public:
  using Intern = std::function<StringId(const std::string&)>;

  Row add(std::string name, ProfiledOptions options);
  /// Throws std::invalid_argument for NaN, std::out_of_range for an unknown launch.
  void add_counter(Row profiled, std::string name, double value, CounterOptions options);
  [[nodiscard]] bool empty() const { return added_.empty(); }
  /// First row of the group of a row; kNone stays kNone.
  [[nodiscard]] Row group_of(Row row) const;

  [[nodiscard]] ProfiledTable table(ColumnPool& pool, const Intern& intern) const;

  [[nodiscard]] CounterTable counters(ColumnPool& pool, const Intern& intern) const;

 private:
  struct AddedLaunch {
    std::string name;
    ProfiledOptions options;
  };
  struct AddedCounter {
    Row profiled;
    std::string name;
    double value;
    CounterOptions options;
  };
  static bool same_group(const AddedLaunch& a, const AddedLaunch& b);

  std::vector<AddedLaunch> added_;
  std::vector<AddedCounter> counters_;
};

}  // namespace assay::testing
