#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/log.hpp"
#include "cli/row_format.hpp"
#include "cli/tool.hpp"
#include "files/did_you_mean.hpp"
#include "plugins/plugins.hpp"
#include "render/text_table.hpp"

namespace assay {

extern const std::string_view kDocumentSchema, kAnswersSchema, kConfigSchema, kFactsSchema, kFindingsSchema;

namespace {

using Json = nlohmann::ordered_json;

struct SchemaCommand {
  std::string name;
  RowFormat format = RowFormat::kTable;
  std::vector<std::filesystem::path> plugin_paths;
};

struct NamedSchema {
  const char* name;
  const char* what;
};
constexpr NamedSchema kFiles[] = {
    {"config", "a question or a study in TOML, with the options of the installed analyzers"},
    {"findings", "findings.json of a result"},
    {"facts", "a row of facts.csv"},
    {"document", "what every command answers with --json, errors included"}};

/// Of the host and of tools, the document last.
std::vector<NamedSchema> named_schemas() {
  std::vector<NamedSchema> all(std::begin(kFiles), std::end(kFiles));
  for (const Tool* tool : linked_tools()) {
    if (tool->schema.make != nullptr) all.insert(all.end() - 1, NamedSchema{tool->schema.name, tool->schema.what});
  }
  return all;
}

/// That of a tool; null: no tool has one of that name.
const ToolSchema* schema_of_tool(const std::string& name) {
  for (const Tool* tool : linked_tools()) {
    if (tool->schema.make != nullptr && name == tool->schema.name) return &tool->schema;
  }
  return nullptr;
}

Json type_of(OptionType type) {
  // A list of one element may be written as that element.
  const auto list = [](const char* of) {
    return Json{{"anyOf", {{{"type", of}}, {{"type", "array"}, {"items", {{"type", of}}}}}}};
  };
  switch (type) {
    case OptionType::kBool:
      return {{"type", "boolean"}};
    case OptionType::kInteger:
      return {{"type", "integer"}};
    case OptionType::kNumber:
      return {{"type", "number"}};
    case OptionType::kNumberList:
      return list("number");
    case OptionType::kTextList:
    case OptionType::kMetricList:
    case OptionType::kLabelList:
    case OptionType::kConditionList:
      return list("string");
    default:
      return {{"type", "string"}};
  }
}

/// Schema of an option with its permitted values, for completion and checks in an editor.
Json option_schema(const OptionSpec& option) {
  Json schema = type_of(option.type);
  schema["description"] = option.doc.view();
  if (!option.default_value.empty())
    schema["description"] = std::string(option.doc.view()) + " Default: " + std::string(option.default_value.view());
  const OptionSpec unbounded;
  const bool number = option.type == OptionType::kInteger || option.type == OptionType::kNumber;
  if (number && option.minimum > unbounded.minimum) schema["minimum"] = option.minimum;
  if (number && option.maximum < unbounded.maximum) schema["maximum"] = option.maximum;
  if (option.type == OptionType::kText && !option.choices.empty()) {
    std::string_view rest = option.choices.view();
    while (!rest.empty()) {
      const std::string_view choice = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(rest.size(), choice.size() + 1));
      schema["enum"].push_back(choice);
    }
  }
  return schema;
}

Json options_schema(Span<OptionSpec> options) {
  Json properties = Json::object();
  for (const OptionSpec& option : options) properties[std::string(option.name.view())] = option_schema(option);
  return properties;
}

/// Schema of a question: keys of all sections, options of each available analyzer, and the claim keys of its judge.
Json config_schema(const Plugins& plugins) {
  Json schema = Json::parse(kConfigSchema);
  Json& analyzers = schema["properties"]["analyzers"];
  Json& claim = schema["properties"]["claim"]["items"];
  for (const auto& plugin : plugins.loaded) {
    const Descriptor& d = plugin->descriptor();
    Json properties = options_schema(d.options);
    properties["from"] = {{"$ref", "#/$defs/one_or_more"}};
    properties["from"]["description"] = "Files of options, next to the question or to the installed questions.";
    analyzers["properties"][std::string(plugin->id())] = {{"type", "object"},
                                                          {"description", d.summary.view()},
                                                          {"properties", properties},
                                                          {"additionalProperties", false}};
    if ((d.stages & kStageJudge) != 0) claim["properties"].update(options_schema(d.claim_keys));
  }
  claim["additionalProperties"] = false;
  analyzers["additionalProperties"] = false;
  return schema;
}

/// Schema of the document of one command.
Json command_schema(const std::string& name) {
  Json schema = Json::parse(kDocumentSchema), results = Json::parse(kAnswersSchema);
  schema["title"] = "What 'assay " + name + " --json' answers";
  schema["properties"]["schema"] = {{"enum", {"assay." + name, "assay.error"}}};
  schema["properties"]["result"] = {{"$ref", "#/$defs/" + name}};
  schema["$defs"] = results["$defs"];
  return schema;
}

/// Commands that print a document: those with --json.
std::vector<std::string> answering(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw("--json") != nullptr) names.push_back(command->get_name());
  }
  return names;
}

Exit print_schema(const SchemaCommand& options, const CLI::App& app) {
  const std::vector<std::string> commands = answering(app);
  if (options.name.empty()) {
    TextTable table({{"name"}, {"schema of"}});
    for (const NamedSchema& file : named_schemas()) table.row({file.name, file.what});
    for (const std::string& command : commands) table.row({command, "'assay " + command + " --json'"});
    table.write(std::cout, options.format);
    return Exit::kOk;
  }
  Json schema;
  if (options.name == "config") {
    schema = config_schema(load_plugins(plugin_folders(options.plugin_paths)));
  } else if (options.name == "findings") {
    schema = Json::parse(kFindingsSchema);
  } else if (options.name == "facts") {
    schema = Json::parse(kFactsSchema);
  } else if (const ToolSchema* of_tool = schema_of_tool(options.name); of_tool != nullptr) {
    Result<std::string> text = of_tool->make();
    if (!text) return fail(text.error());
    schema = Json::parse(*text);
  } else if (options.name == "document") {
    schema = Json::parse(kDocumentSchema);
  } else if (std::ranges::find(commands, options.name) != commands.end()) {
    schema = command_schema(options.name);
  } else {
    std::vector<std::string> known = commands;
    for (const NamedSchema& file : named_schemas()) known.emplace_back(file.name);
    return fail(Error{"there is no schema '" + options.name + "'."}
                    .at(options.name)
                    .suggest(did_you_mean(options.name, known) + " 'assay schema' lists them all"));
  }
  std::cout << schema.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return Exit::kOk;
}

}  // namespace

void add_schema(CommandLine& line) {
  constexpr const char* kFooter =
      R"(For editors: taplo and Even Better TOML take the schema of questions by a first line
'#:schema ./assay.schema.json' or by the setting 'schema.path'.

Examples:
  assay schema
  assay schema config > assay.schema.json
  assay schema query)";
  const auto options = std::make_shared<SchemaCommand>();
  CLI::App& command = line.add("schema", "Print the JSON Schema of configurations, results and answers", kFooter,
                               options, [&line](const SchemaCommand& o) { return print_schema(o, line.app); });
  CLI::Option* name = add_option(command, "name", options->name, "Which; without it all are listed")->type_name("NAME");
  add_format(command, options->format)->excludes(name);
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
