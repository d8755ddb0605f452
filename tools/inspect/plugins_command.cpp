#include <fmt/core.h>

#include <iostream>

#include "cli/command_line.hpp"
#include "cli/json_document.hpp"
#include "load/format.hpp"
#include "plugins/formats.hpp"
#include "plugins/plugins.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

Exit show_plugins(const std::vector<std::filesystem::path>& plugin_paths, RowFormat format) {
  const Plugins plugins = load_plugins(plugin_folders(plugin_paths));
  TextTable table({{"id"}, {"kind"}, {"version"}, {"ABI"}, {"built with"}, {"file"}});
  for (const load::Format* known : load::formats()) {
    const load::FormatNotes& notes = known->notes;
    const bool linked = notes.file.empty();
    table.row({std::string(known->kind.word), "format", std::string(notes.version),
               linked ? "" : fmt::format("{}.{}", kFormatMajor, kFormatMinor), std::string(notes.built_with),
               linked ? "part of assay" : std::string(notes.file)});
  }
  for (const auto& plugin : plugins.loaded) {
    const Descriptor& d = plugin->descriptor();
    table.row({std::string(d.id.view()), "analyzer", std::string(d.version.view()),
               std::to_string(d.abi_major) + "." + std::to_string(d.abi_minor), built_with(d),
               plugin->file().string()});
  }
  table.write(std::cout, format);
  if (format != RowFormat::kTable) return Exit::kOk;
  std::vector<RefusedPlugin> all_refused = refused_formats();
  all_refused.insert(all_refused.end(), plugins.refused.begin(), plugins.refused.end());
  if (!all_refused.empty()) std::cout << "\nRefused\n";
  for (const RefusedPlugin& refused : all_refused) std::cout << "  " << one_line(refused.sentence) << "\n";
  std::cout << "\nFolders searched, in this order\n";
  for (const std::filesystem::path& folder : plugins.searched) std::cout << "  " << one_line(folder.string()) << "\n";
  return Exit::kOk;
}

}  // namespace

void add_plugins(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay plugins
  assay plugins --plugin-path ~/my_analyzers)";
  struct PluginsCommand {
    std::vector<std::filesystem::path> paths;
    RowFormat format = RowFormat::kTable;
  };
  const auto options = std::make_shared<PluginsCommand>();
  CLI::App& command =
      line.add("plugins", "Show analyzers and formats found and refused, and the folders searched", kFooter, options,
               [](const PluginsCommand& o) { return show_plugins(o.paths, o.format); });
  document::add_rows(command, options->format);
  add_plugin_path(command, options->paths);
}

}  // namespace assay
