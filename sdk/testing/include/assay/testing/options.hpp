// Options for tests: built from the declared specs and a few overrides instead of the TOML.
#pragma once

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "assay/options.hpp"

namespace assay::testing {

/// Value of an override: typed, or a text in the form of OptionSpec::default_value.
class OptionInput {
 public:
  OptionInput(bool value) : value_(value) {}                                 // NOLINT: implicit by design
  OptionInput(int value) : value_(std::int64_t{value}) {}                    // NOLINT: implicit by design
  OptionInput(std::int64_t value) : value_(value) {}                         // NOLINT: implicit by design
  OptionInput(double value) : value_(value) {}                               // NOLINT: implicit by design
  OptionInput(const char* value) : value_(std::string(value)) {}             // NOLINT: implicit by design
  OptionInput(std::string value) : value_(std::move(value)) {}               // NOLINT: implicit by design
  OptionInput(std::vector<std::string> value) : value_(std::move(value)) {}  // NOLINT: implicit by design
  OptionInput(std::vector<double> value) : value_(std::move(value)) {}       // NOLINT: implicit by design

  using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>>;
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  Value value_;
};

/// Overrides by option name: {{"axis", "px"}, {"min_share", 0.7}}.
using OptionInputs = std::vector<std::pair<std::string, OptionInput>>;

/// Every declared option with its default or override. Throws std::invalid_argument for an override that is undeclared,
/// repeated, of another type, outside minimum..maximum or not among the choices, and for such a default; an empty
/// default is false, 0 or empty. Not copyable: values are views, which live as long as the map.
class OptionMap final : public Options {
 public:
  explicit OptionMap(std::span<const OptionSpec> specs, const OptionInputs& overrides = {});
  ~OptionMap();
  OptionMap(const OptionMap&) = delete;
  OptionMap& operator=(const OptionMap&) = delete;

  /// Null if no such option is declared.
  const OptionValue* find(Str name) const noexcept override;

 private:
  [[noreturn]] static void refuse(const OptionSpec& spec, const std::string& why);

  template <class Number>
  static Number parse(const OptionSpec& spec, std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
      refuse(spec, "has '" + std::string(text) + "' for a number");
    return number;
  }

  static std::vector<std::string> split(std::string_view text);

  static double checked(const OptionSpec& spec, double number);

  std::string_view checked_text(const OptionSpec& spec, std::string text);

  OptionValue make(const OptionSpec& spec, const OptionInput& input, bool given);

  template <class Wanted>
  static const Wanted& as(const OptionSpec& spec, const OptionInput::Value& value) {
    if (const auto* wanted = std::get_if<Wanted>(&value)) return *wanted;
    refuse(spec, "is given with another type than declared");
  }

  Span<double> number_list(const OptionSpec& spec, const OptionInput::Value& value);

  Span<Str> text_list(const OptionSpec& spec, const OptionInput::Value& value);

  OptionValue make(const OptionSpec& spec, std::string_view default_value, bool given);

  std::map<std::string, OptionValue, std::less<>> values_;
  std::deque<std::string> texts_;  // deques keep the views into them valid
  std::deque<std::vector<Str>> text_lists_;
  std::deque<std::vector<double>> number_lists_;
};

}  // namespace assay::testing
