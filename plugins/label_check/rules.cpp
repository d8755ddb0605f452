#include "rules.hpp"

#include <stdexcept>

#include "assay/algo/kernel_classes.hpp"
#include "assay/words.hpp"

namespace assay::labels {
namespace {

std::vector<std::string> texts(std::span<const Str> list) {
  std::vector<std::string> out;
  for (const Str& text : list) out.emplace_back(text.view());
  return out;
}

std::vector<std::string> words(std::span<const Str> list) {
  std::vector<std::string> out;
  for (const Str& word : list) out.push_back(lower_case(word.view()));
  return out;
}

/// "a=b", ignoring blanks around both parts.
std::pair<std::string, std::string> setting(std::string_view text, std::string_view rule) {
  const std::size_t equals = text.find('=');
  const std::string_view name = without_spaces(text.substr(0, equals));
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : without_spaces(text.substr(equals + 1));
  if (name.empty() || value.empty()) {
    throw std::invalid_argument("named holds '" + std::string(rule) +
                                "'; expected \"label=value: other label=its value\"");
  }
  return {std::string(name), std::string(value)};
}

NamedRule named_rule(std::string_view rule) {
  const std::size_t colon = rule.find(':');
  const auto [label, value] = setting(rule.substr(0, colon), rule);
  const auto [other, other_value] =
      setting(colon == std::string_view::npos ? std::string_view() : rule.substr(colon + 1), rule);
  return {label, value, other, other_value};
}

}  // namespace

Rules rules_from(const Options& options) {
  Rules rules;
  if (!options.text("input_bytes").empty()) rules.input_bytes.emplace(options.text("input_bytes"), "input_bytes");
  rules.row_kernels = words(options.texts("row_kernels"));
  for (const Str& text : options.texts("grid_rows")) rules.grid_rows.emplace_back(text.view(), "grid_rows");
  rules.width_kernels = words(options.texts("width_kernels"));
  for (const Str& text : options.texts("grid_widths")) rules.grid_widths.emplace_back(text.view(), "grid_widths");
  if (!options.text("row_launches").empty()) rules.row_launches.emplace(options.text("row_launches"), "row_launches");
  rules.linear = texts(options.labels("linear"));
  rules.tolerance = options.number("tolerance");
  rules.compile_label = options.label("compile_label");
  rules.compile_base = options.text("compile_base");
  rules.compiled_kernels = words(options.texts("compiled_kernels"));
  rules.graph_values = texts(options.texts("graph_values"));
  rules.pipeline_label = options.label("pipeline_label");
  rules.sync_value = options.text("sync_value");
  rules.async_value = options.text("async_value");
  for (const Str& rule : options.texts("named")) rules.named.push_back(named_rule(rule.view()));
  rules.device_label = options.label("device_label");
  rules.dtype_label = options.label("dtype_label");
  rules.attention_label = options.label("attention_label");
  return rules;
}

void check_labels(const Rules& rules, const StudyView& view) {
  const auto require = [&](const std::string& label, std::string_view where) {
    if (view.label(label)) return;
    throw std::invalid_argument(
        filled("option '{}' refers to the label '{}', which [labels] does not declare", {std::string(where), label}));
  };
  if (rules.input_bytes) {
    for (const std::string& name : rules.input_bytes->names()) require(name, "input_bytes");
  }
  for (const Expression& rows : rules.grid_rows) {
    for (const std::string& name : rows.names()) require(name, "grid_rows");
  }
  for (const Expression& widths : rules.grid_widths) {
    for (const std::string& name : widths.names()) {
      if (name != kSeenRows) require(name, "grid_widths");
    }
  }
  if (rules.row_launches) {
    for (const std::string& name : rules.row_launches->names()) require(name, "row_launches");
  }
  for (const std::string& label : rules.linear) require(label, "linear");
  for (const NamedRule& rule : rules.named) {
    require(rule.label, "named");
    require(rule.other, "named");
  }
}

}  // namespace assay::labels
