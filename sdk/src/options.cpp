#include "assay/options.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay {

std::span<const Str> Options::texts(std::string_view name) const { return get(name, OptionType::kTextList).texts; }

std::span<const Str> Options::metrics(std::string_view name) const { return get(name, OptionType::kMetricList).texts; }

std::span<const Str> Options::labels(std::string_view name) const { return get(name, OptionType::kLabelList).texts; }

std::span<const Str> Options::conditions(std::string_view name) const {
  return get(name, OptionType::kConditionList).texts;
}

std::span<const double> Options::numbers(std::string_view name) const {
  return get(name, OptionType::kNumberList).numbers;
}

std::vector<std::string> Options::strings(std::string_view name) const {
  const OptionValue* value = find(name);
  if (value == nullptr) throw std::logic_error("option '" + std::string(name) + "' is not declared");
  constexpr OptionType lists[] = {OptionType::kTextList, OptionType::kMetricList, OptionType::kLabelList,
                                  OptionType::kConditionList};
  if (std::find(std::begin(lists), std::end(lists), value->type) == std::end(lists))
    throw std::logic_error("option '" + std::string(name) + "' is declared with another type");
  std::vector<std::string> out;
  for (const Str& text : value->texts) out.emplace_back(text.view());
  return out;
}

bool Options::given(std::string_view name) const {
  const OptionValue* value = find(name);
  return value != nullptr && value->given;
}

const OptionValue& Options::get(std::string_view name, OptionType type) const {
  const OptionValue* value = find(name);
  if (value == nullptr) throw std::logic_error("option '" + std::string(name) + "' is not declared");
  if (value->type != type) throw std::logic_error("option '" + std::string(name) + "' is declared with another type");
  return *value;
}

}  // namespace assay
