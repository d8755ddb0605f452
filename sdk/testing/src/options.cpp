#include "assay/testing/options.hpp"

namespace assay::testing {

OptionMap::~OptionMap() = default;

OptionMap::OptionMap(std::span<const OptionSpec> specs, const OptionInputs& overrides) {
  for (const OptionSpec& spec : specs)
    values_.emplace(std::string(spec.name.view()), make(spec, spec.default_value.view(), false));
  std::map<std::string, bool> seen;
  for (const auto& [name, input] : overrides) {
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& s) { return s.name == name; });
    if (spec == specs.end()) throw std::invalid_argument("option '" + name + "' is not declared");
    if (!seen.emplace(name, true).second) throw std::invalid_argument("option '" + name + "' is given twice");
    values_.insert_or_assign(name, make(*spec, input, true));
  }
}

const OptionValue* OptionMap::find(Str name) const noexcept {
  const auto at = values_.find(name.view());
  return at == values_.end() ? nullptr : &at->second;
}

void OptionMap::refuse(const OptionSpec& spec, const std::string& why) {
  throw std::invalid_argument("option '" + std::string(spec.name.view()) + "' " + why);
}

std::vector<std::string> OptionMap::split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

double OptionMap::checked(const OptionSpec& spec, double number) {
  if (!(number >= spec.minimum && number <= spec.maximum)) refuse(spec, "is out of range: " + std::to_string(number));
  return number;
}

std::string_view OptionMap::checked_text(const OptionSpec& spec, std::string text) {
  bool allowed = spec.choices.empty();
  for (std::string_view rest = spec.choices; !rest.empty();) {
    const std::string_view choice = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), choice.size() + 1));
    allowed = allowed || choice == text;
  }
  if (!allowed) refuse(spec, "must be one of " + std::string(spec.choices.view()) + ", not '" + text + "'");
  return texts_.emplace_back(std::move(text));
}

OptionValue OptionMap::make(const OptionSpec& spec, const OptionInput& input, bool given) {
  OptionValue out;
  out.type = spec.type;
  out.given = given;
  const OptionInput::Value& value = input.value();
  const auto* text = std::get_if<std::string>(&value);
  switch (spec.type) {
    case OptionType::kBool:
      if (text != nullptr && *text != "true" && *text != "false")
        refuse(spec, "must be true or false, not '" + *text + "'");
      out.boolean = text != nullptr ? *text == "true" : as<bool>(spec, value);
      break;
    case OptionType::kInteger:
      out.integer = text != nullptr ? parse<std::int64_t>(spec, *text) : as<std::int64_t>(spec, value);
      checked(spec, static_cast<double>(out.integer));
      break;
    case OptionType::kNumber:
      if (text != nullptr)
        out.number = parse<double>(spec, *text);
      else if (const auto* whole = std::get_if<std::int64_t>(&value))
        out.number = static_cast<double>(*whole);
      else
        out.number = as<double>(spec, value);
      checked(spec, out.number);
      break;
    case OptionType::kText:
    case OptionType::kMetric:
    case OptionType::kLabel:
      out.text = checked_text(spec, as<std::string>(spec, value));
      break;
    case OptionType::kNumberList:
      out.numbers = number_list(spec, value);
      break;
    default:
      out.texts = text_list(spec, value);
  }
  return out;
}

Span<double> OptionMap::number_list(const OptionSpec& spec, const OptionInput::Value& value) {
  std::vector<double>& list = number_lists_.emplace_back();
  if (const auto* text = std::get_if<std::string>(&value)) {
    for (const std::string& part : split(*text)) list.push_back(parse<double>(spec, part));
  } else {
    list = as<std::vector<double>>(spec, value);
  }
  for (const double number : list) checked(spec, number);
  return list;
}

Span<Str> OptionMap::text_list(const OptionSpec& spec, const OptionInput::Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  std::vector<Str>& list = text_lists_.emplace_back();
  for (const std::string& part : text != nullptr ? split(*text) : as<std::vector<std::string>>(spec, value)) {
    list.emplace_back(checked_text(spec, part));
  }
  return list;
}

OptionValue OptionMap::make(const OptionSpec& spec, std::string_view default_value, bool given) {
  // An empty default means "not set" and need not parse: an empty number is 0.
  if (default_value.empty() && (spec.type == OptionType::kInteger || spec.type == OptionType::kNumber ||
                                spec.type == OptionType::kBool || !spec.choices.empty())) {
    OptionValue unset;
    unset.type = spec.type;
    return unset;
  }
  return make(spec, OptionInput(std::string(default_value)), given);
}

}  // namespace assay::testing
