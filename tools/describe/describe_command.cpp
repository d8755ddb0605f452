#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <iostream>

#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "cli/log.hpp"
#include "cli/terminal.hpp"
#include "describe/described_words.hpp"
#include "files/did_you_mean.hpp"
#include "load/columns.hpp"
#include "load/format.hpp"
#include "notes/notes.hpp"
#include "plugins/consumed.hpp"
#include "plugins/formats.hpp"
#include "plugins/library_file.hpp"
#include "plugins/plugins.hpp"
#include "render/format.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

constexpr std::string_view kTypeWords[] = {"true/false",        "integer", "number",          "text",  "list of texts",
                                           "list of numbers",   "metric",  "list of metrics", "label", "list of labels",
                                           "list of conditions"};

std::string type_word(OptionType type) {
  const auto i = static_cast<std::size_t>(type);
  return std::string(i < std::size(kTypeWords) ? kTypeWords[i] : "unknown");
}

std::string text(Str s) { return std::string(s.view()); }

std::string columns_text(Span<ColumnId> ids) {
  std::string out;
  for (const ColumnId id : ids) {
    const ColumnInfo* info = find_column(id);
    out += (out.empty() ? "" : ", ") + std::string(info != nullptr ? info->name : "unknown column");
  }
  return out.empty() ? "nothing" : out;
}

std::string stages_text(std::uint32_t stages) {
  std::string out;
  if ((stages & kStageAnalyze) != 0) out = "analyze (per profile)";
  if ((stages & kStageConclude) != 0) out += std::string(out.empty() ? "" : ", ") + "conclude (per question)";
  if ((stages & kStageJudge) != 0) out += ", judges the claims";
  return out;
}

/// Permitted values: choices, or bounds if the author set any.
std::string allowed_text(const OptionSpec& option) {
  if (!option.choices.empty()) return text(option.choices);
  const OptionSpec unbounded;
  const bool low = option.minimum > unbounded.minimum, high = option.maximum < unbounded.maximum;
  if (low && high) return exact(option.minimum) + ".." + exact(option.maximum);
  if (low) return ">= " + exact(option.minimum);
  return high ? "<= " + exact(option.maximum) : "";
}

void print_options(const std::string& title, Span<OptionSpec> options) {
  if (options.empty()) return;
  std::cout << "\n" << title << "\n";
  TextTable table({{"name"}, {"type"}, {"default"}, {"allowed"}, {"meaning"}});
  for (const OptionSpec& option : options) {
    table.row({text(option.name), type_word(option.type), text(option.default_value), allowed_text(option),
               text(option.doc)});
  }
  table.print(std::cout, 2, table_width());
}

void print_metrics(Span<MetricSpec> metrics) {
  if (metrics.empty()) return;
  std::cout << "\nMetrics\n";
  TextTable table({{"metric"}, {"unit"}, {"polarity"}, {"definition"}});
  for (const MetricSpec& metric : metrics) {
    table.row(
        {text(metric.id), text(metric.unit), std::string(polarity_name(metric.polarity)), text(metric.definition)});
  }
  table.print(std::cout, 2, table_width());
}

void print_attributes(Span<AttributeSpec> attributes) {
  if (attributes.empty()) return;
  std::cout << "\nText attributes\n";
  TextTable table({{"name"}, {"definition"}});
  for (const AttributeSpec& attribute : attributes) table.row({text(attribute.name), text(attribute.definition)});
  table.print(std::cout, 2, table_width());
}

/// Prints words after `lead`; on a terminal wrapped and indented by its width.
void print_words(const std::string& lead, const std::string& words) {
  const std::size_t width = table_width();
  std::string start = lead;
  for (const std::string& line : wrapped(one_line(words), width > 0 ? width - lead.size() : words.size() + 1)) {
    std::cout << start << line << "\n";
    start.assign(lead.size(), ' ');
  }
}

void print_analyzer(const Plugin& plugin) {
  const Descriptor& d = plugin.descriptor();
  print_words("", fmt::format("{} {}: {}", text(d.id), text(d.version), text(d.summary)));
  std::cout << "\n";
  print_words("  built   ", fmt::format("{} ({})", built_with(d), plugin.file().string()));
  print_words("  stages  ", stages_text(d.stages));
  print_words("  needs   ", columns_text(d.needs));
  print_words("  wants   ", columns_text(d.wants));
  std::string consumes;
  for (const Str name : d.consumes) {
    consumes += (consumes.empty() ? "" : ", ") + std::string(consumed_name(name));
    if (is_optional(name)) consumes += " (if any)";
  }
  if (!consumes.empty()) print_words("  reads   ", consumes);
  if (const notes::AnalyzerNote* note = notes::analyzer_note(plugin.id())) print_words("  not     ", note->is_not);
  print_options("Options, in [analyzers." + text(d.id) + "]", d.options);
  print_options("Keys of [[claim]], besides id, text and source", d.claim_keys);
  print_metrics(d.produces);
  print_attributes(d.attributes);
}

/// Adds one row per option, claim key, metric and attribute.
void add_rows(const Descriptor& d, TextTable& table) {
  const auto add = [&](const char* what, Span<OptionSpec> options) {
    for (const OptionSpec& option : options) {
      table.row({text(d.id), what, text(option.name), type_word(option.type), text(option.default_value),
                 allowed_text(option), text(option.doc)});
    }
  };
  add("option", d.options);
  add("claim key", d.claim_keys);
  for (const MetricSpec& metric : d.produces)
    table.row({text(d.id), "metric", text(metric.id), text(metric.unit), "",
               std::string(polarity_name(metric.polarity)), text(metric.definition)});
  for (const AttributeSpec& attribute : d.attributes)
    table.row({text(d.id), "attribute", text(attribute.name), "text", "", "", text(attribute.definition)});
}

void print_word(const DescribedWord& word) {
  print_words("", fmt::format("{} ({}){}{}", word.name, word.kind, word.title.empty() ? "" : ": ", word.title));
  print_words("  ", word.definition);
  for (const auto& [what, words] : word.lines) print_words("  " + padded(what, 10), words);
}

/// Adds one row for the definition and one for each other text.
void add_rows(const DescribedWord& word, TextTable& table) {
  table.row({word.analyzer, word.kind, word.name, "", "", "", word.definition});
  for (const auto& [what, words] : word.lines) {
    if (what != "analyzer") table.row({word.analyzer, what, word.name, "", "", "", words});
  }
}

void print_parts(const std::string& title, std::span<const FormatPart> parts, const char* becomes) {
  if (parts.empty()) return;
  std::cout << "\n" << title << "\n";
  TextTable table({{"part"}, {becomes}});
  for (const FormatPart& part : parts) table.row({text(part.name), text(part.becomes)});
  table.print(std::cout, 2, table_width());
}

constexpr std::string_view kCellWords[] = {"integer", "number", "text"},
                           kRoleWords[] = {"", "key", "time", "begin", "end", "counter", "row of ", "label"};

std::string role_text(const ColumnSpec& column) {
  return std::string(kRoleWords[static_cast<std::size_t>(column.role)]) + text(column.of);
}

void print_format(const load::Format& format) {
  const load::FormatNotes& notes = format.notes;
  print_words(
      "", fmt::format("{}{}{}: {}", format.kind.word, notes.version.empty() ? "" : " ", notes.version, notes.summary));
  std::cout << "\n";
  print_words("  built   ",
              notes.file.empty() ? std::string("part of assay") : fmt::format("{} ({})", notes.built_with, notes.file));
  print_words("  files   ", fmt::format("{}", fmt::join(format.names.extensions, ", ")));
  print_words("  fills   ", columns_text(notes.fills));
  print_parts("Reads", notes.reads, "becomes");
  print_parts("Passes over", notes.passes_over, "what it holds");
  std::vector<FormatPart> captures;
  for (const load::CaptureAdvice& advice : notes.captures) captures.push_back({advice.what, advice.command});
  print_parts("What files may lack", captures, "recorded by");
  for (const TableSpec& declared : notes.tables) {
    std::cout << "\n";
    print_words("", fmt::format("Table {}: {}", declared.name.view(), declared.doc.view()));
    TextTable table({{"column"}, {"type"}, {"unit"}, {"role"}, {"meaning"}});
    for (const ColumnSpec& column : declared.columns)
      table.row({text(column.name), std::string(kCellWords[static_cast<std::size_t>(column.kind)]), text(column.unit),
                 role_text(column), text(column.doc)});
    table.print(std::cout, 2, table_width());
  }
}

/// Adds one row per part, column and declared column.
void add_rows(const load::Format& format, TextTable& rows) {
  const std::string id(format.kind.word);
  rows.row({id, "format", id, "", "", "", std::string(format.notes.summary)});
  for (const FormatPart& part : format.notes.reads)
    rows.row({id, "reads", text(part.name), "", "", "", text(part.becomes)});
  for (const FormatPart& part : format.notes.passes_over)
    rows.row({id, "passes over", text(part.name), "", "", "", text(part.becomes)});
  for (const load::CaptureAdvice& advice : format.notes.captures)
    rows.row({id, "recorded by", std::string(advice.what), "", "", "", std::string(advice.command)});
  for (const ColumnId column : format.notes.fills)
    rows.row({id, "fills", std::string(find_column(column)->name), "", "", "", ""});
  for (const TableSpec& table : format.notes.tables) {
    for (const ColumnSpec& column : table.columns)
      rows.row({id, "column", text(table.name) + "." + text(column.name),
                std::string(kCellWords[static_cast<std::size_t>(column.kind)]), text(column.unit), role_text(column),
                text(column.doc)});
  }
}

struct DescribeCommand {
  std::vector<std::string> names;
  bool metrics = false, reference = false;
  RowFormat format = RowFormat::kTable;
  std::vector<std::filesystem::path> plugin_paths;
};

/// Exactly one member is set.
struct DescribeTarget {
  const Plugin* analyzer = nullptr;
  const DescribedWord* word = nullptr;
  const load::Format* format = nullptr;
};

Exit list_analyzers(const Plugins& plugins, RowFormat format) {
  TextTable table({{"analyzer"}, {"version"}, {"metrics", true}, {"options", true}, {"what it does"}});
  for (const auto& plugin : plugins.loaded) {
    const Descriptor& d = plugin->descriptor();
    table.row({text(d.id), text(d.version), std::to_string(d.produces.size), std::to_string(d.options.size),
               text(d.summary)});
  }
  table.write(std::cout, format, table_width());
  return Exit::kOk;
}

/// Resolves a short name to a metric: 'gpu_busy' and, if no metric has that name, 'busy' mean gpu.busy_ratio; 'MFU' is
/// 'mfu'. Ratios take precedence.
std::string without_synonym(std::string name, const std::vector<DescribedWord>& words) {
  if (std::ranges::find(words, name, &DescribedWord::name) != words.end()) return name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  enum class Match { kArea, kShare, kAny };
  for (const Match match : {Match::kArea, Match::kShare, Match::kAny}) {
    for (const DescribedWord& word : words) {
      const std::size_t dot = word.name.find('.'), unit = word.name.rfind('_');
      if (dot == std::string::npos || (match == Match::kShare && !word.name.ends_with("_ratio"))) continue;
      std::string known = word.name.substr(0, unit > dot ? unit : std::string::npos);
      known = match == Match::kArea ? known.replace(dot, 1, "_") : known.substr(dot + 1);
      if (known == name) return word.name;
    }
  }
  return name;
}

void add_rows(const DescribeTarget& one, TextTable& rows) {
  if (one.format != nullptr) return add_rows(*one.format, rows);
  one.analyzer != nullptr ? add_rows(one.analyzer->descriptor(), rows) : add_rows(*one.word, rows);
}

void print(const DescribeTarget& one) {
  if (one.format != nullptr) return print_format(*one.format);
  one.analyzer != nullptr ? print_analyzer(*one.analyzer) : print_word(*one.word);
}

/// Describes analyzers, formats, metrics, verdicts and terms, in this order if a name has several meanings.
Exit describe_names(const DescribeCommand& options) {
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  if (options.names.empty() && !options.reference) return list_analyzers(plugins, options.format);
  const std::vector<DescribedWord> words = described_words(plugins);
  if (options.reference && options.format == RowFormat::kTable) {
    write_reference(words, std::cout);
    return Exit::kOk;
  }
  std::vector<std::unique_ptr<Plugin>> opened;
  std::deque<load::Format> formats;
  std::vector<DescribeTarget> all;
  for (const DescribedWord& word : words) {
    if (options.reference) all.push_back({.word = &word});
  }
  for (const std::string& name : options.names) {
    if (is_plugin_file(name) && names_symbol(name, kFormatSymbol)) {
      const auto descriptor = open_format(std::filesystem::absolute(name));
      if (!descriptor) return fail(descriptor.error());
      all.push_back({.format = &formats.emplace_back(**descriptor, name)});
      continue;
    }
    if (is_plugin_file(name)) {
      Result<std::unique_ptr<Plugin>> plugin = Plugin::open(std::filesystem::absolute(name));
      if (!plugin) return fail(plugin.error());
      opened.push_back(std::move(*plugin));
      all.push_back({.analyzer = opened.back().get()});
      continue;
    }
    const auto word = std::ranges::find(words, without_synonym(name, words), &DescribedWord::name);
    all.push_back({plugins.find(name), word != words.end() ? &*word : nullptr, load::format_named(name)});
    if (all.back().analyzer != nullptr || all.back().word != nullptr || all.back().format != nullptr) continue;
    std::vector<std::string> known;
    for (const load::Format* format : load::formats()) known.emplace_back(format->kind.word);
    for (const auto& plugin : plugins.loaded) known.emplace_back(plugin->id());
    for (const DescribedWord& one : words) known.push_back(one.name);
    return fail(
        Error{fmt::format("there is no analyzer, format, metric, verdict or word '{}'.", name)}.at(name).suggest(
            fmt::format("{} 'assay describe' lists the analyzers, 'assay describe --metrics' their metrics; {}",
                        did_you_mean(name, known), folders_searched(plugins))));
  }
  if (options.format != RowFormat::kTable) {
    TextTable rows({{"analyzer"}, {"what"}, {"name"}, {"type"}, {"default"}, {"allowed"}, {"meaning"}});
    for (const DescribeTarget& one : all) add_rows(one, rows);
    rows.write(std::cout, options.format);
    return Exit::kOk;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) std::cout << "\n";
    print(all[i]);
  }
  return Exit::kOk;
}

/// Lists the metrics of all analyzers.
Exit list_metrics(const DescribeCommand& options) {
  const Plugins plugins = load_plugins(plugin_folders(options.plugin_paths));
  TextTable table({{"metric"}, {"unit"}, {"analyzer"}, {"definition"}});
  for (const auto& plugin : plugins.loaded) {
    for (const MetricSpec& metric : plugin->descriptor().produces)
      table.row({text(metric.id), text(metric.unit), std::string(plugin->id()), text(metric.definition)});
  }
  table.write(std::cout, options.format, table_width());
  return Exit::kOk;
}

}  // namespace

void add_describe(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay describe
  assay describe architecture_cliff run_summary
  assay describe gpu.busy_ratio inconclusive
  assay describe ./build/plugins/short_kernels.so
  assay describe nsys
  assay describe --metrics)";
  const auto options = std::make_shared<DescribeCommand>();
  CLI::App& command = line.add(
      "describe",
      "Show what analyzers, formats, metrics and verdicts mean: options, units, definitions, and what they are not",
      kFooter, options, [](const DescribeCommand& o) { return o.metrics ? list_metrics(o) : describe_names(o); });
  CLI::Option* names = add_option(command, "name", options->names,
                                  "Analyzers, plugin files, formats, metrics, verdicts or words (default: list "
                                  "all analyzers, one line each)")
                           ->type_name("ID|PLUGIN.so|FORMAT|METRIC|VERDICT");
  CLI::Option* metrics =
      add_flag(command, "--metrics", options->metrics, "List all metrics instead, one line each")->excludes(names);
  add_flag(command, "--reference", options->reference, "Write all metrics and verdicts in Markdown")
      ->excludes(names)
      ->excludes(metrics);
  document::add_rows(command, options->format);
  add_plugin_path(command, options->plugin_paths);
}

}  // namespace assay
