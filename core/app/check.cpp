#include "app/check.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "check/checks.hpp"
#include "config/config.hpp"
#include "plugins/plugins.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDetail = 160;  ///< columns

/// Opens the plugin in a process of its own first: a library may do anything when it is loaded.
check::Checked handshake(const fs::path& file, const isolate::Limits& limits, const std::atomic<bool>& stop) {
  const auto open = [&]() -> check::Reply {
    const auto plugin = Plugin::open(file);
    if (!plugin) return {check::Answer::kFailed, plugin.error().sentence};
    const Descriptor& d = (*plugin)->descriptor();
    return {check::Answer::kOk,
            std::string(d.id.view()) + " " + std::string(d.version.view()) + ", built with " + built_with(d)};
  };
  return run(check::Case{"", open}, limits, stop);
}

/// An option of a configuration in the type that is declared: a list of one may stand there as its element.
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
    if (spec == declared.options.end()) return Error{where + analyzer.id + " has no option '" + option.name + "'"};
    inputs.emplace_back(option.name, input_of(*spec, option.value));
    try {
      const testing::OptionMap tried(declared.options, inputs);
    } catch (const std::invalid_argument& wrong) {
      return Error{where + wrong.what()};
    }
  }
  return inputs;
}

/// The options of [analyzers.ID], as the first question that enables the analyzer has them.
Result<testing::OptionInputs> options_in(const fs::path& config, const Descriptor& declared) {
  if (config.empty()) return testing::OptionInputs{};
  const auto questions = read_configs({&config, 1});
  if (!questions) return questions.error();
  for (const Question& question : *questions) {
    for (const AnalyzerConfig& analyzer : question.analyzers) {
      if (analyzer.id == declared.id.view()) return inputs_of(analyzer, declared);
    }
  }
  return Error{config.string() + ": there is no [analyzers." + std::string(declared.id.view()) +
               "]; add it, or check without --config"};
}

/// What the analyzers of a run beside this one make.
check::Makers makers_in(const std::vector<fs::path>& folders, std::string_view but) {
  check::Makers makers;
  for (const auto& plugin : load_plugins(folders).loaded) {
    if (plugin->id() == but) continue;
    for (const MetricSpec& metric : plugin->descriptor().produces) makers.emplace(metric.id.view(), plugin->id());
    for (const AttributeSpec& attribute : plugin->descriptor().attributes)
      makers.emplace(attribute.name.view(), plugin->id());
  }
  return makers;
}

/// For a plugin that does not take what it is to be checked with.
Exit nothing_tried(const TextTable& table, std::string_view id) {
  table.print(std::cout, 0);
  std::cout << std::flush;
  const std::string name(id);
  return fail({name +
                   " refuses these options, so nothing else could be tried; give --config CONFIG with an [analyzers." +
                   name + "] that it takes",
               Exit::kFailed});
}

void add_row(TextTable& table, const std::string& name, const check::Checked& checked) {
  table.row({name, checked.result, fixed(checked.seconds, 2) + " s",
             fixed(static_cast<double>(checked.peak) / (1 << 20), 1) + " MB",
             shortened(one_line(checked.detail), kDetail)});
}

}  // namespace

Exit check_plugin(const CheckOptions& options) {
  const std::atomic<bool>& stop = stop_on_signals();
  const fs::path file = fs::absolute(options.plugin);
  const check::Checked opened = handshake(file, options.limits, stop);
  if (!opened.passed) {
    return fail({opened.result == "failed" ? opened.detail
                                           : file.string() + ": loading it " + opened.detail +
                                                 "; a plugin must run nothing when it is loaded."});
  }
  const auto plugin = Plugin::open(file);
  if (!plugin) return fail(plugin.error());
  const auto usual = options_in(options.config, (*plugin)->descriptor());
  if (!usual) return fail(usual.error());

  TextTable table({{"check"}, {"result"}, {"time", true}, {"memory", true}, {"detail"}});
  add_row(table, "handshake", opened);
  std::size_t all = 0, bad = 0;
  const check::Makers others = makers_in(plugin_folders(options.plugin_paths), (*plugin)->id());
  for (check::Check& check : check::checks_of((*plugin)->descriptor(), *usual, others)) {
    const check::Checked checked = run(check, options.limits, stop);
    if (stop) return fail({"interrupted", Exit::kInterrupted});
    add_row(table, check.name, checked);
    if (all == 0 && checked.result == "refused") return nothing_tried(table, (*plugin)->id());
    ++all;
    if (!checked.passed) ++bad;
  }
  table.print(std::cout, 0);
  if (bad == 0) {
    std::cout << "\n" << (*plugin)->id() << " passes all " << all << " checks.\n";
    return Exit::kOk;
  }
  std::cout << std::flush;
  return fail({std::string((*plugin)->id()) + " does not pass " + std::to_string(bad) + " of " + counted(all, "check") +
                   "; each row says why",
               Exit::kFailed});
}

void add_check(CommandLine& line) {
  constexpr const char* kFooter =
      R"(Each case runs in a process of its own, so that a crash, a hang or memory without end is a row and not the end.
Hostile options may be refused with a sentence. Exit codes: 0 all passed; 2 not a plugin; 3 one did not pass.

Examples:
  assay check ./build/plugins/short_kernels.so
  assay check ./short_kernels.so --time-limit 10 --memory-limit 512
  assay check ./kernel_breakdown.so --config configs/attention.toml)";
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& command = line.add("check", "Try a plugin on reports, studies and options that nobody expects", kFooter,
                               options, &check_plugin);
  command.add_option("plugin", options->plugin, "File of the plugin")->required()->type_name("PLUGIN.so");
  command.add_option("--config", options->config, "Take its options from this file (default: its defaults)")
      ->type_name("CONFIG");
  add_plugin_path(command, options->plugin_paths);
  add_limits(command, "--time-limit", "--memory-limit", options->limits, "one case");
}

}  // namespace assay
