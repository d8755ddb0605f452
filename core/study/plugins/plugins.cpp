#include "plugins/plugins.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <optional>
#include <set>
#include <system_error>

#include "assay/format.hpp"
#include "plugins/handshake.hpp"
#include "plugins/library_file.hpp"
#include "plugins/own_descriptor.hpp"
#include "plugins/probe.hpp"

namespace assay {
namespace fs = std::filesystem;

struct Plugin::Library {
  fs::path file;
  boost::dll::shared_library library;  // before `descriptor`, which is in it
  const void* symbol = nullptr;
  std::optional<OwnDescriptor> descriptor;  // its texts are in the library
};

Plugin::Plugin(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Plugin::~Plugin() = default;

const Descriptor& Plugin::descriptor() const { return library_->descriptor->view(); }
const void* Plugin::symbol() const { return library_->symbol; }
const fs::path& Plugin::file() const { return library_->file; }

namespace {

/// The loader's last error without the leading file name.
std::string loader_error(const fs::path& file) {
  const char* const said = dlerror();
  if (said == nullptr) return "the loader gives no reason";
  const std::string text = said, prefix = file.string() + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

}  // namespace

Result<std::unique_ptr<Plugin>> Plugin::open(const fs::path& file) {
  const std::vector<std::string> problem = probe_libraries({&file, 1}, &Plugin::try_library);
  if (!problem.front().empty()) return Error{problem.front(), Exit::kUsage};
  return open_probed(file);
}

std::string Plugin::try_library(const fs::path& file) {
  const auto plugin = open_probed(file);
  return plugin ? std::string() : plugin.error().sentence;
}

Result<std::unique_ptr<Plugin>> Plugin::open_probed(const fs::path& file) {
  if (const std::string problem = library_file_problem(file); !problem.empty()) return refused(file, problem);
  auto library = std::make_unique<Library>();
  library->file = file;
  std::error_code ec;
  library->library.load(file, ec, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  if (ec) {
    return refused(file, "cannot be loaded (" + loader_error(file) + "); link everything the plugin uses into it");
  }
  if (!library->library.has(kPluginSymbol)) {
    return refused(
        file, std::string("exports no '") + kPluginSymbol +
                  "'; an analyzer plugin ends with ASSAY_PLUGIN(id, version, class), other libraries go elsewhere");
  }
  // Not as a Descriptor yet: the layout is unknown until the handshake has passed.
  const void* symbol = &library->library.get<const unsigned char>(kPluginSymbol);
  if (const std::string problem = handshake_problem(symbol); !problem.empty()) return refused(file, problem);
  library->symbol = symbol;
  library->descriptor.emplace(symbol);
  if (const std::string problem = declaration_problem(library->descriptor->view()); !problem.empty())
    return refused(file, problem);
  return std::unique_ptr<Plugin>(new Plugin(std::move(library)));
}

Result<std::unique_ptr<Plugin>> Plugin::linked(const Descriptor& descriptor) {
  auto library = std::make_unique<Library>();
  library->symbol = &descriptor;
  std::string problem = handshake_problem(&descriptor);
  if (problem.empty()) problem = declaration_problem(library->descriptor.emplace(&descriptor).view());
  if (!problem.empty()) return refused("a linked plugin", problem);
  return std::unique_ptr<Plugin>(new Plugin(std::move(library)));
}

bool is_plugin_file(std::string_view named) {
  return named.find('/') != std::string_view::npos || named.ends_with(".so");
}

std::string built_with(const Descriptor& declared) {
  return std::string(declared.cxx_abi.view()) +
         (declared.build == Build::kNotOptimised ? ", without optimisation" : "");
}

const Plugin* Plugins::find(std::string_view id) const {
  const auto at = std::ranges::find_if(loaded, [&](const auto& plugin) { return plugin->id() == id; });
  return at == loaded.end() ? nullptr : at->get();
}

std::string folders_searched(const Plugins& plugins) {
  if (plugins.searched.empty()) return "no plugin folder was searched";
  std::string text = "searched";
  for (const auto& folder : plugins.searched) text += (text == "searched" ? " " : ", ") + folder.string();
  return text;
}

fs::path install_prefix() {
  std::error_code ec;
  const fs::path program = boost::dll::program_location(ec);
  return ec ? fs::path() : program.parent_path().parent_path();
}

std::vector<fs::path> plugin_folders(std::span<const fs::path> from_command_line) {
  std::vector<fs::path> folders(from_command_line.begin(), from_command_line.end());
  if (const char* variable = std::getenv("ASSAY_PLUGIN_PATH"); variable != nullptr) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      if (colon > 0) folders.emplace_back(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
  const fs::path prefix = install_prefix();
  if (prefix.empty()) return folders;
  folders.push_back(prefix / "lib" / "assay" / "plugins");
  std::error_code ec;
  const fs::path of_wheel = prefix / "libexec" / "assay" / "plugins";  // packaging/wheel.py
  if (fs::is_directory(of_wheel, ec)) folders.push_back(of_wheel);
  return folders;
}

namespace {

/// The *.so entries of a folder, sorted; empty if it cannot be listed.
std::optional<std::vector<fs::path>> libraries_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ec;
  fs::directory_iterator at(folder, ec);
  for (; !ec && at != fs::directory_iterator(); at.increment(ec)) {
    if (at->path().extension() == ".so") files.push_back(at->path());
  }
  if (ec) return std::nullopt;
  std::ranges::sort(files);
  return files;
}

/// The loaded plugin that already has the id, a metric or an attribute of `plugin`, as a predicate; else empty.
std::string clash(const Plugin& plugin, const std::vector<std::unique_ptr<Plugin>>& loaded) {
  const Descriptor& d = plugin.descriptor();
  for (const auto& other : loaded) {
    const Descriptor& o = other->descriptor();
    const std::string in = " in " + other->file().string();
    if (o.id == d.id) {
      return fmt::format(
          "has the id '{}' (version {}) of a plugin loaded before, version {}{}; remove or rename one of them",
          std::string(d.id), std::string(d.version), std::string(o.version), in);
    }
    const std::string by = fmt::format(
        " that '{}' declares too,{}; a name has only one producer, so rename it in one of them", std::string(o.id), in);
    for (const MetricSpec& metric : d.produces) {
      if (std::ranges::any_of(o.produces, [&](const MetricSpec& m) { return m.id == metric.id; })) {
        return fmt::format("declares the metric '{}'{}", std::string(metric.id), by);
      }
    }
    for (const AttributeSpec& attribute : d.attributes) {
      if (std::ranges::any_of(o.attributes, [&](const AttributeSpec& a) { return a.name == attribute.name; })) {
        return fmt::format("declares the attribute '{}'{}", std::string(attribute.name), by);
      }
    }
  }
  return {};
}

/// A path that is equal for equal files, as far as the file system knows.
fs::path identity(const fs::path& file) {
  std::error_code ec;
  fs::path canonical = fs::weakly_canonical(file, ec);
  return ec ? file : canonical;
}

}  // namespace

std::vector<fs::path> libraries_of(std::span<const fs::path> folders, std::vector<fs::path>& searched,
                                   std::vector<RefusedPlugin>& refused_folders) {
  std::vector<fs::path> found;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    searched.push_back(folder);
    if (!seen.insert(identity(folder)).second) continue;
    const auto files = libraries_in(folder);
    if (!files) {
      refused_folders.push_back({folder, folder.string() +
                                             ": this plugin folder cannot be listed; check --plugin-path, "
                                             "ASSAY_PLUGIN_PATH and its permissions."});
      continue;
    }
    for (const fs::path& file : *files) {
      if (seen.insert(identity(file)).second) found.push_back(file);
    }
  }
  return found;
}

std::vector<std::string> foreign_libraries(const fs::path& folder, std::span<const fs::path> known) {
  constexpr std::size_t kMaxNamed = 5;
  std::vector<std::string> names;
  const auto is_folder = [own = identity(folder)](const fs::path& other) { return identity(other) == own; };
  if (std::ranges::any_of(known, is_folder)) return names;
  for (const fs::path& file : libraries_in(folder).value_or(std::vector<fs::path>())) {
    names.push_back(names.size() < kMaxNamed ? file.filename().string() : "...");
    if (names.size() > kMaxNamed) break;
  }
  return names;
}

Plugins load_plugins(std::span<const fs::path> folders) {
  Plugins plugins;
  std::vector<fs::path> files = libraries_of(folders, plugins.searched, plugins.refused);
  std::erase_if(files, [](const fs::path& file) { return names_symbol(file, kFormatSymbol); });
  const std::vector<std::string> problems = probe_libraries(files, &Plugin::try_library);
  for (std::size_t f = 0; f < files.size(); ++f) {
    std::string sentence = problems[f];
    if (sentence.empty()) {
      Result<std::unique_ptr<Plugin>> plugin = Plugin::open_probed(files[f]);
      if (!plugin) {
        sentence = plugin.error().sentence;
      } else if (const std::string twin = clash(**plugin, plugins.loaded); !twin.empty()) {
        sentence = refused(files[f], twin).sentence;
      } else {
        plugins.loaded.push_back(std::move(*plugin));
      }
    }
    if (!sentence.empty()) plugins.refused.push_back({files[f], std::move(sentence)});
  }
  std::ranges::sort(plugins.loaded, [](const auto& a, const auto& b) { return a->id() < b->id(); });
  return plugins;
}

}  // namespace assay
