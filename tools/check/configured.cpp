#include "check/configured.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "config/config.hpp"

namespace assay {
namespace {

/// An option of a configuration in its declared type; a list of one element may be written as that element.
testing::OptionInput input_of(const OptionSpec& spec, const RawValue& raw) {
  const bool numbers = spec.type == OptionType::kNumberList;
  const bool texts = spec.type == OptionType::kTextList || spec.type == OptionType::kMetricList ||
                     spec.type == OptionType::kLabelList || spec.type == OptionType::kConditionList;
  return std::visit(
      [&](const auto& value) -> testing::OptionInput {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          if (texts) return std::vector<std::string>{value};
        } else if constexpr (std::is_arithmetic_v<Value>) {
          if (numbers) return std::vector<double>{static_cast<double>(value)};
        }
        return value;
      },
      raw.value);
}

Result<testing::OptionInputs> inputs_of(const AnalyzerConfig& analyzer, const Descriptor& declared) {
  testing::OptionInputs inputs;
  for (const RawOption& option : analyzer.options) {
    const std::string where = option.value.pos.str() + ": ";
    const auto spec = std::find_if(declared.options.begin(), declared.options.end(),
                                   [&](const OptionSpec& s) { return s.name == option.name; });
    if (spec == declared.options.end())
      return Error{fmt::format("{}{} has no option '{}'", where, analyzer.id, option.name)}.at(option.value.pos.str());
    inputs.emplace_back(option.name, input_of(*spec, option.value));
    try {
      const testing::OptionMap tried(declared.options, inputs);
    } catch (const std::invalid_argument& wrong) {
      return Error{where + wrong.what()}.at(option.value.pos.str());
    }
  }
  return inputs;
}

}  // namespace

Result<testing::OptionInputs> options_in(const std::filesystem::path& config, const Descriptor& declared) {
  if (config.empty()) return testing::OptionInputs{};
  const auto questions = read_configs({&config, 1});
  if (!questions) return questions.error();
  for (const Question& question : *questions) {
    for (const AnalyzerConfig& analyzer : question.analyzers) {
      if (analyzer.id == declared.id.view()) return inputs_of(analyzer, declared);
    }
  }
  return Error{fmt::format("{}: there is no [analyzers.{}]", config.string(), declared.id.view())}
      .at(config.string())
      .advise("add it, or check without --config");
}

}  // namespace assay
