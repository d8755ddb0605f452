#include "plugins/plugins.hpp"

#include <iostream>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {

Exit show_plugins(const std::vector<std::filesystem::path>& plugin_paths) {
  const Plugins plugins = load_plugins(plugin_folders(plugin_paths));
  TextTable table({{"id"}, {"version"}, {"ABI"}, {"built with"}, {"file"}});
  for (const auto& plugin : plugins.loaded) {
    const Descriptor& d = plugin->descriptor();
    table.row({std::string(d.id.view()), std::string(d.version.view()),
               std::to_string(d.abi_major) + "." + std::to_string(d.abi_minor), built_with(d),
               plugin->file().string()});
  }
  table.print(std::cout, 0);
  if (!plugins.refused.empty()) std::cout << "\nRefused\n";
  for (const RefusedPlugin& refused : plugins.refused) std::cout << "  " << one_line(refused.sentence) << "\n";
  std::cout << "\nFolders searched, in this order\n";
  for (const std::filesystem::path& folder : plugins.searched) std::cout << "  " << one_line(folder.string()) << "\n";
  return Exit::kOk;
}

void add_plugins(CommandLine& line) {
  constexpr const char* kFooter = R"(Examples:
  assay plugins
  assay plugins --plugin-path ~/my_analyzers)";
  const auto paths = std::make_shared<std::vector<std::filesystem::path>>();
  CLI::App& command = line.add("plugins", "Show plugins found and refused, and the folders searched", kFooter, paths,
                               [](const auto& folders) { return show_plugins(folders); });
  add_plugin_path(command, *paths);
}

}  // namespace assay
