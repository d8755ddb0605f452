#include "config/analyzer_section.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "config/installed_options.hpp"
#include "config/toml_text.hpp"
#include "files/program.hpp"
#include "files/served.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

void replace_or_add(std::vector<RawOption>& options, RawOption option) {
  const auto at = std::ranges::find_if(options, [&](const auto& o) { return o.name == option.name; });
  if (at == options.end())
    options.push_back(std::move(option));
  else
    *at = std::move(option);
}

/// Resolves a file that a question names: next to the question, or among the installed questions.
fs::path file_of_options(const fs::path& question, const std::string& from, const SourcePos& asked) {
  std::error_code ignored;
  fs::path beside = question.parent_path() / from;
  if (!files::may_read(beside) || fs::exists(beside, ignored))
    return beside;  // a file that may not be read is refused
                    // later, whether it exists or not
  const fs::path installed = installed_questions() / from;
  if (fs::exists(installed, ignored)) return installed;
  const std::string there =
      installed_questions().empty() ? "" : " and not below '" + installed_questions().string() + "'";
  refuse(asked, fmt::format("takes options from '{}', which does not exist{}", beside.string(), there),
         "check the path.");
}

/// The keys of a file of options.
std::vector<RawOption> options_from(const fs::path& file, const SourcePos& asked) {
  const toml::table table = parse_toml(file);
  if (table.contains("question") || table.contains("study")) {
    refuse(asked, "takes options from '" + file.string() + "', which is a question", "expected a file of options.");
  }
  Section section(table, file.filename().string(), {file.string(), 1, 1});
  return read_options(section);
}

std::vector<std::string> files_named(Section& section) {
  const toml::node* from = section.find("from");
  if (from == nullptr) return {};
  return from->is_array() ? section.texts("from") : std::vector<std::string>{section.required_text("from")};
}

AnalyzerConfig read_analyzer(const std::string& id, Section section, const fs::path& file,
                             std::vector<RawOption> defaults = {}) {
  AnalyzerConfig analyzer{id, std::move(defaults), section.pos()};
  for (const std::string& from : files_named(section)) {
    for (RawOption& option : options_from(file_of_options(file, from, section.pos("from")), section.pos("from"))) {
      replace_or_add(analyzer.options, std::move(option));
    }
  }
  for (RawOption& option : read_options(section)) replace_or_add(analyzer.options, std::move(option));
  return analyzer;
}

}  // namespace

Result<std::vector<RawOption>> installed_options(const std::string& file) {
  const fs::path path = installed_questions() / file;
  std::error_code ignored;
  if (installed_questions().empty() || !fs::exists(path, ignored)) return std::vector<RawOption>{};
  try {
    return options_from(path, {path.string(), 1, 1});
  } catch (const ConfigMistake& mistake) {
    return mistake.error();
  }
}

namespace {

std::vector<std::string> installed_texts(const std::string& file, std::string_view name) {
  const auto options = installed_options(file);
  std::vector<std::string> texts;
  for (std::size_t i = 0; options && i < options->size(); ++i) {
    const RawOption& option = (*options)[i];
    const auto* list = std::get_if<std::vector<std::string>>(&option.value.value);
    if (option.name == name && list != nullptr) texts = *list;
  }
  return texts;
}

}  // namespace

NameRules installed_kernel_rules() {
  const std::vector<std::string> texts = installed_texts("data/kernel_classes.toml", "rules");
  const std::vector<Str> views(texts.begin(), texts.end());
  return NameRules(views);
}

std::vector<RawOption> read_options(Section& section) {
  std::vector<RawOption> options;
  for (const Section::Entry& entry : section.rest()) {
    options.push_back({entry.key, raw_value(*entry.node, entry.pos, section.title() + " " + entry.key)});
  }
  return options;
}

std::vector<AnalyzerConfig> read_analyzers(Section section, const fs::path& file) {
  std::vector<AnalyzerConfig> analyzers;
  for (const Section::Entry& entry : section.rest()) {
    const std::string title = "[analyzers." + entry.key + "]";
    if (!entry.node->is_table()) {
      refuse(entry.pos, title + " is " + std::string(kind_of(*entry.node)),
             "an analyzer is enabled by a line " + title + ".");
    }
    analyzers.push_back(read_analyzer(entry.key, Section(*entry.node->as_table(), title, entry.pos), file));
  }
  return analyzers;
}

void read_named_section(const std::string& id, Section section, const fs::path& file,
                        std::vector<AnalyzerConfig>& analyzers) {
  if (std::ranges::find(analyzers, id, &AnalyzerConfig::id) != analyzers.end())
    refuse(section.pos(), fmt::format("{} and [analyzers.{}] are both given", section.title(), id),
           "put all into one of them.");
  auto names = installed_options("data/" + id + "_names.toml");
  analyzers.push_back(
      read_analyzer(id, std::move(section), file, names ? std::move(*names) : std::vector<RawOption>{}));
}

}  // namespace assay
