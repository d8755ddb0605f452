#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/row_format.hpp"
#include "cli/terminal.hpp"
#include "explain/write.hpp"
#include "render/glossary.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

struct ExplainCommand {
  std::vector<std::string> names;
  std::filesystem::path result;
  bool reference = false;
  RowFormat format = RowFormat::kTable;
  std::vector<std::filesystem::path> plugin_paths;
};

/// Names alone, a line each.
void list_names(const Plugins& plugins, RowFormat format) {
  TextTable table({{"name"}, {"kind"}, {"definition"}});
  for (const auto& plugin : plugins.loaded) {
    for (const MetricSpec& metric : plugin->descriptor().produces)
      table.row({std::string(metric.id.view()), "metric", std::string(metric.definition.view())});
  }
  for (const auto& plugin : plugins.loaded)
    table.row({std::string(plugin->id()), "analyzer", std::string(plugin->descriptor().summary.view())});
  for (const notes::VerdictNote& note : notes::verdicts()) table.row({note.name, "verdict", note.definition});
  for (const GlossaryTerm& term : glossary()) table.row({std::string(term.word), "term", std::string(term.definition)});
  table.write(std::cout, format, table_width());
}

Exit explain_names(const ExplainCommand& options) {
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  if (options.reference) {
    explain::write_reference(explain::reference(plugins), std::cout);
    return Exit::kOk;
  }
  if (options.names.empty()) {
    list_names(plugins, options.format);
    return Exit::kOk;
  }
  std::vector<explain::Explanation> explained;
  for (const std::string& name : options.names) {
    Result<explain::Explanation> one = explain::explain(name, plugins);
    if (!one) return fail(one.error());
    explained.push_back(std::move(*one));
  }
  if (!options.result.empty()) {
    const auto stored = read_results(options.result, true);
    if (!stored) return fail(stored.error());
    for (explain::Explanation& one : explained) {
      if (const Status taken = explain::take_example(*stored, options.result.string(), one); !taken)
        return fail(taken.error());
    }
  }
  if (options.format == RowFormat::kCsv) {
    TextTable table({{"name"}, {"kind"}, {"unit"}, {"definition"}});
    for (const explain::Explanation& one : explained) table.row({one.name, one.kind, one.unit, one.definition});
    table.write(std::cout, options.format);
    return Exit::kOk;
  }
  if (options.format == RowFormat::kJson) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const explain::Explanation& one : explained) all.push_back(explain::json(one));
    std::cout << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return Exit::kOk;
  }
  for (const explain::Explanation& one : explained) {
    if (&one != &explained.front()) std::cout << "\n";
    explain::print(one, std::cout, table_width());
  }
  return Exit::kOk;
}

}  // namespace

void add_explain(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay explain gpu.busy_ratio
  assay explain iteration.period_ns --result results
  assay explain inconclusive
  assay explain ranks straggler.rank --format json)";
  const auto options = std::make_shared<ExplainCommand>();
  CLI::App& command = line.add("explain", "Say what a metric, an analyzer or a verdict means, and what it is not",
                               kFooter, options, &explain_names);
  CLI::Option* names =
      command.add_option("name", options->names, "Metrics, analyzers, verdicts or words; without any all are listed")
          ->type_name("METRIC|ANALYZER|VERDICT");
  command.add_option("--result", options->result, "Take the example from this result")->type_name("OUT")->needs(names);
  CLI::Option* reference =
      command
          .add_flag("--reference", options->reference, "Print all metrics and verdicts in Markdown (docs/metrics.md)")
          ->excludes(names);
  CLI::Option* format = add_format(command, options->format)->excludes(reference);
  document::add_flag(command)->excludes(format)->excludes(reference)->each(
      [options](const std::string&) { options->format = RowFormat::kJson; });
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
