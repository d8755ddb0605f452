// Options of an analyzer as passed to its constructor: every declared option is present, typed and checked.
#pragma once

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/abi.hpp"

namespace assay {

/// Value of an option. Only the members for `type` are set. Laid out by the host.
struct OptionValue {
  OptionType type = OptionType::kText;
  bool given = false;        ///< set in the TOML; false: the default
  bool boolean = false;      ///< kBool
  std::int64_t integer = 0;  ///< kInteger
  double number = 0;         ///< kNumber
  Str text;                  ///< kText, kMetric, kLabel
  Span<Str> texts;           ///< kTextList, kMetricList, kLabelList, kConditionList
  Span<double> numbers;      ///< kNumberList
};

/// Options of one analyzer, or keys of one claim. Implemented by the host; valid as long as the analyzer lives, with
/// all texts and lists. Each function accepts exactly the type of its name and throws std::logic_error for another type
/// or an undeclared name, except `given`. A value without a default that is not set is false, 0 or empty.
class Options {
 public:
  /// Null if no such option is declared.
  virtual const OptionValue* find(Str name) const noexcept = 0;

  [[nodiscard]] bool boolean(std::string_view name) const { return get(name, OptionType::kBool).boolean; }
  [[nodiscard]] std::int64_t integer(std::string_view name) const { return get(name, OptionType::kInteger).integer; }
  [[nodiscard]] double number(std::string_view name) const { return get(name, OptionType::kNumber).number; }
  [[nodiscard]] std::string_view text(std::string_view name) const { return get(name, OptionType::kText).text; }
  [[nodiscard]] std::string_view metric(std::string_view name) const { return get(name, OptionType::kMetric).text; }
  [[nodiscard]] std::string_view label(std::string_view name) const { return get(name, OptionType::kLabel).text; }
  [[nodiscard]] std::span<const Str> texts(std::string_view name) const;
  [[nodiscard]] std::span<const Str> metrics(std::string_view name) const;
  [[nodiscard]] std::span<const Str> labels(std::string_view name) const;
  [[nodiscard]] std::span<const Str> conditions(std::string_view name) const;
  [[nodiscard]] std::span<const double> numbers(std::string_view name) const;
  /// Copies of the texts of any option that is a list of them: texts, metrics, labels or conditions.
  [[nodiscard]] std::vector<std::string> strings(std::string_view name) const;
  /// Whether the user set it, as opposed to the default. False for an undeclared name.
  [[nodiscard]] bool given(std::string_view name) const;

 protected:
  ~Options() = default;

 private:
  [[nodiscard]] const OptionValue& get(std::string_view name, OptionType type) const;
};

}  // namespace assay
