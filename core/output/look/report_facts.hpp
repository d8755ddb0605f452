// The facts of one report as pages read them.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/facts.hpp"

namespace assay::look {

inline constexpr std::size_t kKernelName = 46;  ///< most characters of a name
inline constexpr const char* kNotKnown = "not known";

/// The facts of one report, by name.
class Facts {
 public:
  explicit Facts(const ReportResult& report) : report_(report) {}

  [[nodiscard]] std::optional<double> value(std::string_view metric, std::string_view dims = {}) const {
    const auto at = std::find_if(report_.facts.begin(), report_.facts.end(),
                                 [&](const Fact& f) { return f.metric == metric && f.dims == dims; });
    return at == report_.facts.end() ? std::nullopt : std::optional(at->value);
  }
  [[nodiscard]] double number(std::string_view metric, std::string_view dims = {}) const {
    return value(metric, dims).value_or(std::numeric_limits<double>::quiet_NaN());
  }
  /// Values of the only dim `key` that a metric has, greatest fact first.
  [[nodiscard]] std::vector<std::pair<std::string, double>> by(std::string_view metric, const std::string& key) const {
    std::vector<std::pair<std::string, double>> found;
    for (const Fact& fact : report_.facts) {
      const bool alone = fact.dims.starts_with(key + "=") && fact.dims.find(';') == std::string::npos;
      if (fact.metric == metric && alone) found.emplace_back(fact.dims.substr(key.size() + 1), fact.value);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return found;
  }
  [[nodiscard]] std::string attribute(std::string_view name) const {
    const auto at = std::find_if(report_.attributes.begin(), report_.attributes.end(),
                                 [&](const OwnedAttribute& a) { return a.name == name; });
    return at == report_.attributes.end() ? std::string() : at->value;
  }

 private:
  const ReportResult& report_;
};

}  // namespace assay::look
