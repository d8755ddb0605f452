#include "check/declared.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "assay/testing/options.hpp"
#include "files/did_you_mean.hpp"
#include "plugins/consumed.hpp"

namespace assay::check {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

std::string version_problem(const Descriptor& declared) {
  const std::string_view version = declared.version;
  std::string_view rest = version.substr(0, version.find_first_of("-+"));  // also accepts "1.2.0-rc1"
  std::size_t numbers = 0;
  while (is_number(rest.substr(0, rest.find('.')))) {
    ++numbers;
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) {
      rest = {};
      break;
    }
    rest.remove_prefix(dot + 1);
  }
  if (numbers == 3 && rest.empty() && !version.substr(0, version.find_first_of("-+")).ends_with('.')) return {};
  return "the version is " + in_quotes(version) + "; expected three numbers such as '1.0.0', which identify results";
}

std::string default_problem(const Descriptor& declared) {
  for (const Span<OptionSpec> specs : {declared.options, declared.claim_keys}) {
    for (const OptionSpec& spec : specs) {
      if (spec.default_value.empty()) continue;
      try {
        const testing::OptionMap tried({&spec, 1});
      } catch (const std::invalid_argument& wrong) {
        return fmt::format("the default of the option {} is not valid: {}", in_quotes(spec.name), wrong.what());
      }
    }
  }
  return {};
}

std::string ownership_problem(const Descriptor& declared, const Makers& others) {
  const auto problem = [&](const char* what, Str name) -> std::string {
    const auto maker = others.find(name.view());
    if (maker == others.end() || maker->second == declared.id.view()) return {};
    return fmt::format("declares the {} {}, which {} also declares; a name has only one producer: choose another one",
                       what, in_quotes(name), maker->second);
  };
  for (const MetricSpec& metric : declared.produces) {
    if (std::string wrong = problem("metric", metric.id); !wrong.empty()) return wrong;
  }
  for (const AttributeSpec& attribute : declared.attributes) {
    if (std::string wrong = problem("attribute", attribute.name); !wrong.empty()) return wrong;
  }
  return {};
}

std::string reading_problem(const Descriptor& declared, const Makers& others) {
  std::vector<std::string> known;
  for (const auto& [name, maker] : others) known.push_back(name);
  for (const Str consumed : declared.consumes) {
    const std::string name(consumed_name(consumed));
    const bool own = std::ranges::any_of(declared.produces, [&](const MetricSpec& m) { return m.id == name; }) ||
                     std::ranges::any_of(declared.attributes, [&](const AttributeSpec& a) { return a.name == name; });
    if (is_optional(consumed) || own || others.contains(name)) continue;
    return fmt::format(
        "kConsumes names {}, which no analyzer here produces, so no question could enable it.{} Name its folder with "
        "--plugin-path, or write \"?{}\" if it is optional",
        in_quotes(name), did_you_mean(name, known), name);
  }
  return {};
}

}  // namespace assay::check
