// Checks a descriptor's declarations once, so that no later stage has to. A plugin may come from anywhere.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "config/built_in_labels.hpp"
#include "load/columns.hpp"
#include "plugins/consumed.hpp"
#include "plugins/handshake.hpp"
#include "plugins/own_descriptor.hpp"

namespace assay {
namespace {

bool lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }
bool key_character(char c) { return lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '-'; }

bool is_id(std::string_view id) {
  return !id.empty() && id[0] >= 'a' && id[0] <= 'z' && std::ranges::all_of(id, lower_or_digit);
}
bool is_dotted_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.back() != '.' && name.find("..") == std::string_view::npos &&
         std::ranges::all_of(name, [](char c) { return lower_or_digit(c) || c == '.'; });
}
bool is_key(std::string_view key) { return !key.empty() && std::ranges::all_of(key, key_character); }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// Checks every name of a list: readable, well-formed, unique.
template <class Spec, class NameOf, class IsName>
std::string names_problem(Span<Spec> specs, const char* kind, NameOf name_of, IsName is_name, const char* form) {
  if (!within_limits(specs)) return std::string("has a list of ") + kind + "s that cannot be read";
  std::set<std::string_view> seen;
  for (const Spec& spec : specs) {
    const Str name = std::invoke(name_of, spec);
    if (!within_limits(name)) return std::string("has a ") + kind + " whose name cannot be read";
    if (!is_name(name.view())) return fmt::format("names a {} {}; {}", kind, quoted(name), form);
    if (!seen.insert(name).second) return fmt::format("declares the {} {} twice; names are unique", kind, quoted(name));
  }
  return {};
}

std::string option_problem(Span<OptionSpec> options, const char* kind) {
  std::string problem =
      names_problem(options, kind, &OptionSpec::name, is_key, "a key has letters, digits, '_' and '-' only");
  if (!problem.empty()) return problem;
  for (const OptionSpec& o : options) {
    const std::string where = fmt::format("declares the {} {} with ", kind, quoted(o.name));
    if (!within_limits(o.default_value) || !within_limits(o.doc) || !within_limits(o.choices))
      return where + "a text that cannot be read";
    if (o.type > OptionType::kConditionList) return where + "a type that this host does not know";
    if (!(o.minimum <= o.maximum)) return where + "a minimum above its maximum";
  }
  return {};
}

std::string claim_key_problem(const Descriptor& d) {
  for (const OptionSpec& key : d.claim_keys) {
    for (const std::string_view own : {"id", "text", "source"}) {
      if (key.name == own) return "declares the claim key " + quoted(own) + ", which every [[claim]] already has";
    }
  }
  return {};
}

std::string metric_problem(const Descriptor& d) {
  std::string problem = names_problem(d.produces, "metric", &MetricSpec::id, is_dotted_name,
                                      "a metric is a dotted lowercase name such as 'gpu.busy_ratio'");
  if (!problem.empty()) return problem;
  for (const MetricSpec& m : d.produces) {
    const std::string where = "declares the metric " + quoted(m.id) + " ";
    if (!within_limits(m.unit) || !within_limits(m.definition) || !within_limits(m.title))
      return where + "with a text that cannot be read";
    if (m.unit.empty()) return where + "without a unit; a count has the unit '1'";
    if (m.polarity > Polarity::kLowerIsBetter) return where + "with a polarity that this host does not know";
  }
  return {};
}

std::string attribute_problem(const Descriptor& d) {
  std::string problem = names_problem(d.attributes, "attribute", &AttributeSpec::name, is_dotted_name,
                                      "an attribute has a dotted lowercase name");
  if (!problem.empty()) return problem;
  for (const AttributeSpec& attribute : d.attributes) {
    if (std::ranges::find(kEnvironmentNames, attribute.name.view()) != kEnvironmentNames.end())
      return "declares the attribute " + quoted(attribute.name) +
             ", which the host gives every profile; name it after the plugin";
  }
  const bool texts =
      std::ranges::all_of(d.attributes, [](const AttributeSpec& a) { return within_limits(a.definition); });
  return texts ? std::string() : "declares an attribute whose definition cannot be read";
}

std::string column_problem(Span<ColumnId> ids, const char* list) {
  if (!within_limits(ids)) return std::string("has a list ") + list + " that cannot be read";
  for (const ColumnId id : ids) {
    if (find_column(id) == nullptr) {
      return fmt::format("{} asks for column number {}, which this host does not have; use the names in assay::col",
                         std::string(list), static_cast<unsigned>(id));
    }
  }
  return {};
}

std::string consumed_problem(const Descriptor& d) {
  const auto is_consumed = [](std::string_view name) { return is_dotted_name(consumed_name(name)); };
  return names_problem(
      d.consumes, "consumed name", [](Str name) { return name; }, is_consumed,
      "kConsumes holds names of metrics and attributes");
}

std::string identity_problem(const Descriptor& d) {
  if (!within_limits(d.id) || !within_limits(d.version) || !within_limits(d.summary) || !within_limits(d.cxx_abi)) {
    return "has an id, version or summary that cannot be read";
  }
  if (d.id.empty()) return "has an empty id; ASSAY_PLUGIN takes the id first";
  if (!is_id(d.id))
    return "has the id " + quoted(d.id) + "; an id has lowercase letters, digits and '_' and begins with a letter";
  if (d.version.empty()) return "has no version; ASSAY_PLUGIN takes it second, such as \"1.0.0\"";
  if (d.create == nullptr) return "has no constructor to call; define it with ASSAY_PLUGIN";
  return {};
}

std::string stage_problem(const Descriptor& d) {
  constexpr std::uint32_t known = kStageAnalyze | kStageGather | kStageConclude | kStageJudge;
  if ((d.stages & (kStageAnalyze | kStageConclude)) == 0)
    return "has neither stage; an analyzer has analyze, conclude or both";
  if ((d.stages & ~known) != 0) return "has a stage that this host does not know; update assay";
  if ((d.stages & kStageGather) != 0 && (d.stages & kStageAnalyze) == 0)
    return "gathers over the ranks of a job but has no analyze, whose rows those are";
  if ((d.stages & kStageJudge) != 0 && (d.stages & kStageConclude) == 0) return "judges claims but has no conclude";
  if (d.check_claim != nullptr && (d.stages & kStageJudge) == 0) return "checks claims but judges none";
  return {};
}

}  // namespace

std::string declaration_problem(const Descriptor& d) {
  // In this order, because a sentence about a metric is of little use without an id.
  const std::function<std::string()> checks[] = {
      [&] { return identity_problem(d); },
      [&] { return stage_problem(d); },
      [&] { return metric_problem(d); },
      [&] { return attribute_problem(d); },
      [&] { return option_problem(d.options, "option"); },
      [&] { return option_problem(d.claim_keys, "claim key"); },
      [&] { return claim_key_problem(d); },
      [&] { return consumed_problem(d); },
      [&] { return column_problem(d.needs, "kNeeds"); },
      [&] { return column_problem(d.wants, "kWants"); },
  };
  for (const auto& check : checks) {
    if (std::string problem = check(); !problem.empty()) return problem;
  }
  return {};
}

}  // namespace assay
