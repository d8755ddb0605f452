#include "plan/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "algo/fingerprint.hpp"
#include "assay/algo/participation.hpp"
#include "config/installed_options.hpp"
#include "config/version.hpp"
#include "files/did_you_mean.hpp"
#include "load/wanted.hpp"
#include "plan/check_options.hpp"
#include "plan/order.hpp"
#include "plan/question_scope.hpp"
#include "plugins/consumed.hpp"

namespace assay {
namespace {

using EnabledPlugins = std::vector<const Plugin*>;

/// The plugin that a section enables, or an error.
Result<const Plugin*> enabled_plugin(const AnalyzerConfig& config, const Plugins& plugins) {
  if (const Plugin* plugin = plugins.find(config.id)) return plugin;
  const std::string where = fmt::format("{}: [analyzers.{}] ", config.pos.str(), config.id);
  for (const RefusedPlugin& refused : plugins.refused) {
    const std::string stem = refused.file.stem().string();
    if (stem == config.id || stem == "lib" + config.id)
      return Error{where + "was refused: " + refused.sentence}.at(config.pos.str());
  }
  std::vector<std::string> known;
  for (const auto& plugin : plugins.loaded) known.emplace_back(plugin->id());
  // A refused file may be the one that is meant: its id is known only once it is accepted.
  std::string refused;
  for (const RefusedPlugin& plugin : plugins.refused) refused += " Refused there: " + plugin.sentence;
  return Error{fmt::format("{}is not among the analyzers found ({}).", where, folders_searched(plugins))}
      .at(config.pos.str())
      .suggest(did_you_mean(config.id, known) + refused);
}

Result<EnabledPlugins> enabled_plugins(const Question& question, const Plugins& plugins) {
  if (question.analyzers.empty()) {
    return Error{fmt::format("{}: question '{}' enables no analyzer", SourcePos{question.file.string(), 1, 1}.str(),
                             question.id)}
        .at(SourcePos{question.file.string(), 1, 1}.str())
        .advise("add at least [analyzers.run_summary].");
  }
  EnabledPlugins enabled;
  for (const AnalyzerConfig& config : question.analyzers) {
    const Result<const Plugin*> plugin = enabled_plugin(config, plugins);
    if (!plugin) return plugin.error();
    enabled.push_back(*plugin);
  }
  return enabled;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Adds the names that the analyzer declares to read; optional ones only if they are produced.
std::optional<Error> add_consumed(PlannedAnalyzer& planned, const AnalyzerConfig& config, const QuestionScope& scope) {
  for (const Str declared : planned.plugin->descriptor().consumes) {
    const std::string name(consumed_name(declared));
    const std::optional<Error> problem = scope.consumed_problem(name);
    if (!problem) add_once(planned.consumes, name);
    if (is_as_analyzed(declared)) planned.as_analyzed.insert(name);
    if (problem && !is_optional(declared)) {
      return problem
          ->in(fmt::format("{}: [analyzers.{}] reads something that is missing: it ", config.pos.str(), config.id))
          .at(config.pos.str());
    }
  }
  for (const std::string& name : metrics_named(planned.options)) {
    add_once(planned.consumes, name);
    planned.as_analyzed.erase(name);  // an option may refer to the concluded value
  }
  return std::nullopt;
}

/// The given options. For an analyzer with options `rules` and `own_rules` for kernel classes
/// (assay/algo/kernel_classes.hpp) that was given no rules, also the installed ones.
Result<std::vector<RawOption>> options_of(const AnalyzerConfig& config, Span<OptionSpec> declared) {
  const auto declares = [&](std::string_view name) {
    return std::ranges::any_of(declared, [&](const OptionSpec& o) { return o.name.view() == name; });
  };
  const auto given = [&](std::string_view name) {
    return std::ranges::any_of(config.options, [&](const RawOption& o) { return o.name == name; });
  };
  std::vector<RawOption> options = config.options;
  if (!declares("rules") || !declares("own_rules") || given("rules")) return options;
  Result<std::vector<RawOption>> classes = installed_options("data/kernel_classes.toml");
  if (!classes) return classes.error();
  for (RawOption& option : *classes) {
    if (declares(option.name) && !given(option.name)) options.push_back(std::move(option));
  }
  return options;
}

Result<PlannedAnalyzer> plan_analyzer(const AnalyzerConfig& config, const Plugin* plugin, const QuestionScope& scope) {
  const OptionHolder holder{"[analyzers." + config.id + "]", "option", config.pos};
  const Result<std::vector<RawOption>> given = options_of(config, plugin->descriptor().options);
  if (!given) return given.error();
  Result<OptionSet> options = check_options(plugin->descriptor().options, *given, holder, scope);
  if (!options) return options.error();
  PlannedAnalyzer planned{plugin, std::move(*options), {}};
  if (auto error = add_consumed(planned, config, scope)) return *error;
  return planned;
}

bool judges(const Plugin& plugin) { return (plugin.descriptor().stages & kStageJudge) != 0; }

Result<const Plugin*> find_judge(const Question& question, const EnabledPlugins& enabled, const Plugins& plugins) {
  const Plugin* judge = nullptr;
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    if (!judges(*enabled[i])) continue;
    if (judge != nullptr) {
      return Error{fmt::format("{}: [analyzers.{}] judges claims, but so does '{}'", question.analyzers[i].pos.str(),
                               question.analyzers[i].id, std::string(judge->id()))}
          .at(question.analyzers[i].pos.str())
          .advise("enable one of them.");
    }
    judge = enabled[i];
  }
  if (question.claims.empty()) return static_cast<const Plugin*>(nullptr);
  if (judge != nullptr) return judge;
  std::string able;
  for (const auto& plugin : plugins.loaded) {
    if (judges(*plugin)) able += (able.empty() ? "" : " or ") + ("[analyzers." + std::string(plugin->id()) + "]");
  }
  const std::string fix = able.empty() ? "no plugin found can (" + folders_searched(plugins) + ")" : "enable " + able;
  return Error{
      fmt::format("{}: [[claim]] {} has no judge", question.claims.front().pos.str(), question.claims.front().id)}
      .at(question.claims.front().pos.str())
      .advise(fix + ".");
}

/// Receives the sentence of a judge about a claim.
class ClaimComplaint final : public ErrorSink {
 public:
  void fail(Str sentence) noexcept override {
    try {
      text = std::string(sentence);
    } catch (...) {
      text.clear();
    }
  }
  std::string text;
};

Result<PlannedClaim> plan_claim(const ClaimConfig& claim, const Descriptor& judge, const QuestionScope& scope) {
  const std::string title = "[[claim]] " + claim.id;
  Result<OptionSet> keys = check_options(judge.claim_keys, claim.keys, {title, "key", claim.pos}, scope);
  if (!keys) return keys.error();
  ClaimComplaint complaint;
  if (judge.check_claim != nullptr && !judge.check_claim(*keys, complaint)) {
    const std::string why = complaint.text.empty() ? "the judge refused it and gave no reason" : complaint.text;
    const bool option = claim.pos.line == 0;  // made of one, not written in a file
    return Error{fmt::format("{}: {}{}.", claim.pos.str(), option ? "" : title + ": ", why)}.at(claim.pos.str());
  }
  return PlannedClaim{&claim, std::move(*keys)};
}

std::optional<Error> plan_claims(PlannedQuestion& planned, const QuestionScope& scope) {
  if (planned.judge == nullptr) return std::nullopt;
  const auto judge =
      std::ranges::find_if(planned.analyzers, [&](const PlannedAnalyzer& a) { return a.plugin == planned.judge; });
  for (const ClaimConfig& claim : planned.question->claims) {
    Result<PlannedClaim> made = plan_claim(claim, planned.judge->descriptor(), scope);
    if (!made) return made.error();
    for (const std::string& name : metrics_named(made->keys)) add_once(judge->consumes, name);
    planned.claims.push_back(std::move(*made));
  }
  return std::nullopt;
}

/// Whose labels are believed must be known before runs are compared, and what claims are judged on before it is shown:
/// those of which `waits` holds conclude after the analyzer that decides it, except those it depends on.
void conclude_first(std::vector<OrderNode>& nodes, std::optional<std::size_t> first,
                    const std::function<bool(std::size_t)>& waits) {
  if (!first) return;
  std::set<std::size_t> before = {*first};
  for (std::vector<std::size_t> open = {*first}; !open.empty();) {
    const std::size_t node = open.back();
    open.pop_back();
    for (const std::size_t n : nodes[node].after) {
      if (before.insert(n).second) open.push_back(n);
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!before.contains(i) && waits(i)) nodes[i].after.insert(*first);
  }
}

std::optional<Error> sort_by_dependency(PlannedQuestion& planned, const QuestionScope& scope) {
  std::vector<OrderNode> nodes;
  for (std::size_t i = 0; i < planned.analyzers.size(); ++i) {
    OrderNode& node = nodes.emplace_back();
    node.id = planned.analyzers[i].plugin->id();
    for (const std::string& name : planned.analyzers[i].consumes) {
      const auto producer = scope.producer(name);
      if (!producer || *producer == i || name == kClaimedRatio) continue;
      const bool analyzes = (planned.analyzers[*producer].plugin->descriptor().stages & kStageAnalyze) != 0;
      if (analyzes && planned.analyzers[i].as_analyzed.contains(name)) continue;
      node.after.insert(*producer);
    }
  }
  conclude_first(nodes, scope.producer(kBeliefMetric), [](std::size_t) { return true; });
  conclude_first(nodes, scope.producer(kClaimedRatio), [&](std::size_t i) {
    return std::ranges::find(planned.analyzers[i].consumes, kClaimedRatio) != planned.analyzers[i].consumes.end();
  });
  const Order order = order_of(nodes);
  if (!order.cycle.empty()) {
    return Error{fmt::format("{}: the analyzers of question '{}' depend on each other in a circle ({})",
                             planned.question->analyzers.front().pos.str(), planned.question->id, order.cycle)}
        .at(planned.question->analyzers.front().pos.str())
        .advise("disable one of them or give it another metric.");
  }
  std::vector<PlannedAnalyzer> sorted;
  for (const std::size_t i : order.order) sorted.push_back(std::move(planned.analyzers[i]));
  planned.analyzers = std::move(sorted);
  return std::nullopt;
}

/// [question] answered_by may only name enabled analyzers.
std::optional<Error> check_answered_by(const Question& question) {
  std::vector<std::string> enabled;
  for (const AnalyzerConfig& analyzer : question.analyzers) enabled.push_back(analyzer.id);
  for (const std::string& id : question.answered_by) {
    if (std::ranges::find(enabled, id) != enabled.end()) continue;
    return Error{
        fmt::format("{}: [question] answered_by names '{}', which is not enabled", question.answered_by_pos.str(), id)}
        .at(question.answered_by_pos.str())
        .advise("add [analyzers." + id + "].")
        .suggest(did_you_mean(id, enabled));
  }
  return std::nullopt;
}

/// Checks the versions that [plugins] requires.
std::optional<Error> check_versions(const Question& question, const EnabledPlugins& enabled) {
  std::vector<std::string> known;
  for (const Plugin* plugin : enabled) known.emplace_back(plugin->id());
  for (const RequiredPlugin& required : question.plugins.required) {
    const std::string where = required.pos.str() + ": [plugins] requires " + required.analyzer;
    const auto found = std::ranges::find(enabled, required.analyzer, &Plugin::id);
    if (found == enabled.end()) {
      return Error{where + ", which is not enabled"}
          .at(required.pos.str())
          .advise("add [analyzers." + required.analyzer + "].")
          .suggest(did_you_mean(required.analyzer, known));
    }
    const std::string version((*found)->descriptor().version.view());
    const std::optional<Version> has = read_version(version), least = read_version(required.least);
    if (has && least && will_do(*has, *least)) continue;
    return Error{fmt::format("{} {} or a later {}.x, but {} is version {}", where, required.least,
                             required.least.substr(0, required.least.find('.')),
                             (*found)->file().empty() ? "the one found" : "'" + (*found)->file().string() + "'",
                             version)}
        .at(required.pos.str())
        .advise("install another one, or name its folder in [plugins] folders.");
  }
  return std::nullopt;
}

/// Whether runs are compared, and no analyzer emits the fingerprints that identify repeat runs. Where no analyzer reads
/// kernels or names fingerprints, reading what they are made of would cost more than all else.
bool lacks_fingerprints(const std::vector<PlannedAnalyzer>& analyzers) {
  std::set<ColumnId> read;
  bool compared = false, named = false;
  for (const PlannedAnalyzer& analyzer : analyzers) {
    const Descriptor& d = analyzer.plugin->descriptor();
    if (std::ranges::any_of(d.attributes, [](const auto& a) { return a.name == kFingerprint; })) return false;
    compared = compared || (d.stages & kStageConclude) != 0;
    named = named || std::ranges::any_of(d.consumes, [](Str n) { return consumed_name(n) == kFingerprint; });
    read.insert(d.needs.begin(), d.needs.end());
    read.insert(d.wants.begin(), d.wants.end());
  }
  return compared && (named || load::WantedColumns(read).table(col::kernels));
}

Result<PlannedQuestion> plan_question(const Question& question, const Plugins& plugins) {
  const Result<EnabledPlugins> enabled = enabled_plugins(question, plugins);
  if (!enabled) return enabled.error();
  if (auto error = check_answered_by(question)) return *error;
  if (auto error = check_versions(question, *enabled)) return *error;
  const QuestionScope scope(question, *enabled, plugins);
  PlannedQuestion planned;
  planned.question = &question;
  for (std::size_t i = 0; i < question.analyzers.size(); ++i) {
    Result<PlannedAnalyzer> analyzer = plan_analyzer(question.analyzers[i], (*enabled)[i], scope);
    if (!analyzer) return analyzer.error();
    planned.analyzers.push_back(std::move(*analyzer));
  }
  const Result<const Plugin*> judge = find_judge(question, *enabled, plugins);
  if (!judge) return judge.error();
  planned.judge = *judge;
  if (auto error = plan_claims(planned, scope)) return *error;
  if (auto error = sort_by_dependency(planned, scope)) return *error;
  planned.fingerprints = lacks_fingerprints(planned.analyzers);
  return planned;
}

}  // namespace

Result<Plan> make_plan(const std::vector<Question>& questions, const Plugins& plugins) {
  Plan plan;
  for (const Question& question : questions) {
    Result<PlannedQuestion> planned = plan_question(question, plugins);
    if (!planned) return planned.error();
    for (const PlannedAnalyzer& analyzer : planned->analyzers) {
      const Descriptor& d = analyzer.plugin->descriptor();
      plan.wanted.insert(d.needs.begin(), d.needs.end());
      plan.wanted.insert(d.wants.begin(), d.wants.end());
    }
    if (planned->fingerprints) plan.wanted.insert(std::begin(kFingerprintColumns), std::end(kFingerprintColumns));
    plan.questions.push_back(std::move(*planned));
  }
  return plan;
}

}  // namespace assay
