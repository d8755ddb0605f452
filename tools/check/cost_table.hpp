// Table of `assay bench`: cost of a stage of an analyzer, or of reading a profile.
#pragma once

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "check/bench_cost.hpp"
#include "cli/row_format.hpp"
#include "render/format.hpp"
#include "render/rows.hpp"
#include "render/text_table.hpp"

namespace assay {

/// With units for people, in ns and bytes for programs.
class CostTable {
 public:
  static constexpr std::uint64_t kGrowing = 100000;  ///< kernels; with fewer, constant costs dominate

  explicit CostTable(RowFormat format) : format_(format), table_(columns_for(format)) {}

  void add(const std::string& report, const Cost& cost) {
    if (format_ != RowFormat::kTable) add_exact(report, cost);
    if (!cost.problem.empty()) {
      if (format_ == RowFormat::kTable) table_.row({report, "", "", "", "", "", "", "", cost.problem});
      return;
    }
    const auto [least, most] = std::ranges::minmax_element(cost.seconds);
    const double time = *least;
    const double pass = cost.pass.empty() ? 0 : *std::ranges::min_element(cost.pass);
    const double millions = static_cast<double>(cost.kernels) / 1e6;
    const auto per_million = [&](double value, const char* unit) {
      return cost.kernels == 0 ? std::string("-") : quantity(value / millions, unit);
    };
    const auto bytes = static_cast<double>(cost.memory);
    if (format_ == RowFormat::kTable)
      table_.row({report, cost.kernels == 0 ? "-" : std::to_string(cost.kernels), quantity(time * 1e9, "ns"),
                  quantity_range(*least * 1e9, *most * 1e9, "ns"), quantity(bytes, "bytes"),
                  per_million(time * 1e9, "ns"), per_million(bytes, "bytes"),
                  cost.pass.empty() ? "-" : quantity(pass * 1e9, "ns"),
                  cost.pass.empty() ? "-" : fixed(time / pass, 1) + " x"});
    ++measured_;
    if (cost.kernels >= kGrowing) points_.emplace_back(std::log(static_cast<double>(cost.kernels)), std::log(time));
  }

  [[nodiscard]] std::size_t measured() const { return measured_; }
  /// Whether there are enough measurements to determine the growth.
  [[nodiscard]] bool tells_growth() const { return points_.size() > 1; }
  void print() const { table_.write(std::cout, format_); }
  [[nodiscard]] bool for_people() const { return format_ == RowFormat::kTable; }

  /// Slope of log time over log number of kernels.
  [[nodiscard]] double growth() const {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(points_.size());
    for (const auto& [log_kernels, log_time] : points_) {
      x += log_kernels / n;
      y += log_time / n;
    }
    for (const auto& [log_kernels, log_time] : points_) {
      xx += (log_kernels - x) * (log_kernels - x);
      xy += (log_kernels - x) * (log_time - y);
    }
    return xy / xx;
  }

 private:
  static std::vector<TextTable::Column> columns_for(RowFormat format) {
    if (format != RowFormat::kTable)
      return {{"report"},        {"kernels", true},      {"least_ns", true},
              {"most_ns", true}, {"memory_bytes", true}, {"plain_pass_ns", true},
              {"not_measured"}};
    return {{"report"},
            {"kernels", true},
            {"time", true},
            {"min to max", true},
            {"memory", true},
            {"time per million", true},
            {"memory per million", true},
            {"plain pass", true},
            {"vs plain pass"}};
  }

  void add_exact(const std::string& report, const Cost& cost) {
    const auto least_ns = [](const std::vector<double>& seconds) {
      return seconds.empty() ? std::string() : exact(1e9 * *std::ranges::min_element(seconds));
    };
    const bool measured = cost.problem.empty();
    table_.row({report, cost.kernels == 0 ? "" : std::to_string(cost.kernels), least_ns(cost.seconds),
                cost.seconds.empty() ? "" : exact(1e9 * *std::ranges::max_element(cost.seconds)),
                measured ? std::to_string(cost.memory) : "", least_ns(cost.pass), cost.problem});
  }

  RowFormat format_;
  TextTable table_;
  std::vector<std::pair<double, double>> points_;
  std::size_t measured_ = 0;
};

}  // namespace assay
