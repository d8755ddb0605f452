#include "config/plugins_section.hpp"

#include "config/version.hpp"

namespace assay {
namespace fs = std::filesystem;

PluginsSpec read_plugins_spec(Section section, const fs::path& file) {
  PluginsSpec spec;
  for (const std::string& name : section.texts("folders")) {
    const fs::path folder = file.parent_path() / name;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
      refuse(section.pos("folders"),
             "[plugins] folders names '" + name + "', but '" + folder.string() + "' is not a folder",
             "paths start at the folder of this file.");
    }
    spec.folders.push_back(folder);
  }
  if (auto versions = section.table("requires")) {
    for (const Section::Entry& entry : versions->rest()) {
      const auto* text = entry.node->as_string();
      const std::optional<Version> least = text == nullptr ? std::nullopt : read_version(text->get());
      if (!least) {
        refuse(entry.pos, "[plugins] requires " + entry.key + " is not a version",
               "expected the oldest one that works, such as \"1.2\" or \"1.2.3\".");
      }
      spec.required.push_back({entry.key, text->get(), entry.pos});
    }
  }
  section.finish();
  return spec;
}

}  // namespace assay
