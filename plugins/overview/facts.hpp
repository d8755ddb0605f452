// Facts of other analyzers about one report.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/study.hpp"

namespace assay::overview {

using Shares = std::vector<std::pair<std::string, double>>;

/// Facts and attributes of one report, by name. Facts that are read are added to `evidence`, if given.
class Facts {
 public:
  Facts(const StudyView& view, std::size_t report, std::vector<std::int64_t>* evidence = nullptr)
      : view_(view), report_(report), evidence_(evidence) {}

  std::optional<double> value(std::string_view metric, std::string_view dims = {}) const {
    const auto fact = view_.fact(static_cast<Row>(report_), metric, dims);
    return fact ? std::optional(value_of(*fact)) : std::nullopt;
  }
  /// NaN if unknown.
  double number(std::string_view metric, std::string_view dims = {}) const {
    return value(metric, dims).value_or(std::numeric_limits<double>::quiet_NaN());
  }
  /// All facts of a metric with the single dim `key`, by its value, largest first.
  Shares by(std::string_view metric, const std::string& key) const {
    Shares found;
    view_.each_fact(static_cast<Row>(report_), metric, [&](std::size_t fact) {
      const std::string_view dims = view_.study().facts->dims[fact].view();
      const bool alone = dims.starts_with(key + "=") && dims.find(';') == std::string_view::npos;
      if (alone) found.emplace_back(dims.substr(key.size() + 1), value_of(fact));
    });
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return found;
  }
  /// Those above zero.
  Shares positive(std::string_view metric, const std::string& key) const {
    Shares found = by(metric, key);
    std::erase_if(found, [](const auto& share) { return share.second <= 0; });
    return found;
  }
  /// Samples of the fact without dims, in order; empty if there are none.
  std::span<const double> samples(std::string_view metric) const {
    const auto fact = view_.fact(static_cast<Row>(report_), metric);
    return fact ? view_.samples(*fact) : std::span<const double>();
  }
  /// Empty if the report does not have it.
  std::string attribute(std::string_view name) const {
    return std::string(view_.attribute(report_, name).value_or(""));
  }

 private:
  double value_of(std::size_t fact) const {
    if (evidence_ != nullptr) evidence_->push_back(static_cast<std::int64_t>(fact));
    return view_.study().facts->value[fact];
  }

  const StudyView& view_;
  std::size_t report_;
  std::vector<std::int64_t>* evidence_;
};

}  // namespace assay::overview
