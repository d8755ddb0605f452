// Stage 2, plugins: loads shared libraries and checks their descriptors.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/abi.hpp"
#include "result.hpp"

namespace assay {

struct Plugins;

/// An open plugin, which owns its descriptor; destroy its analyzers first.
class Plugin {
 public:
  /// Opens `file` after probe_libraries and performs the handshake of abi.hpp. Error: one sentence.
  static Result<std::unique_ptr<Plugin>> open(const std::filesystem::path& file);
  /// Performs the same checks for a descriptor that is part of this program; `descriptor` must outlive the plugin.
  static Result<std::unique_ptr<Plugin>> linked(const Descriptor& descriptor);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  /// The plugin's declarations in the layout of this host.
  [[nodiscard]] const Descriptor& descriptor() const;
  /// Address of the exported constant in the library.
  [[nodiscard]] const void* symbol() const;
  [[nodiscard]] const std::filesystem::path& file() const;  ///< empty when linked
  [[nodiscard]] std::string_view id() const { return descriptor().id; }

 private:
  friend Plugins load_plugins(std::span<const std::filesystem::path> folders);
  static Result<std::unique_ptr<Plugin>> open_probed(const std::filesystem::path& file);
  /// As TryLibrary.
  static std::string try_library(const std::filesystem::path& file);
  struct Library;
  explicit Plugin(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

/// A file that was refused.
struct RefusedPlugin {
  std::filesystem::path file;
  std::string sentence;
};

/// All plugins found, sorted by id.
struct Plugins {
  std::vector<std::unique_ptr<Plugin>> loaded;
  std::vector<RefusedPlugin> refused;
  std::vector<std::filesystem::path> searched;  ///< folders, in order, for messages

  [[nodiscard]] const Plugin* find(std::string_view id) const;
};

/// Whether the user named a file: a name with a folder or of a library; anything else is an id.
bool is_plugin_file(std::string_view named);

/// "gcc 12.2.0, libstdc++", with ", without optimisation" if the plugin states that.
std::string built_with(const Descriptor& declared);

/// The folder above that of the program, with bin/, lib/ and share/ of an installation or build tree; empty if the
/// system does not provide it.
std::filesystem::path install_prefix();

/// Folders to search, in order: --plugin-path, $ASSAY_PLUGIN_PATH (':'-separated), <host>/../lib/assay/plugins,
/// and that of a wheel.
std::vector<std::filesystem::path> plugin_folders(std::span<const std::filesystem::path> from_command_line);

/// Names of the libraries in a folder that is not among `known`, with links resolved; at most 5, then "...".
std::vector<std::string> foreign_libraries(const std::filesystem::path& folder,
                                           std::span<const std::filesystem::path> known);

/// Libraries of the folders, without duplicates, in opening order. `searched`: the folders; one that cannot be listed
/// is added to `refused`.
std::vector<std::filesystem::path> libraries_of(std::span<const std::filesystem::path> folders,
                                                std::vector<std::filesystem::path>& searched,
                                                std::vector<RefusedPlugin>& refused);

/// "searched DIR, DIR", for a plugin that was not found.
std::string folders_searched(const Plugins& plugins);

/// Opens every *.so of the folders that is not a format, by folder, then file name, after all were probed (probe.hpp);
/// opens a file once. Of two plugins with one id the first wins, the other is refused with a sentence. So is a plugin
/// that declares a metric or attribute of an earlier one. A folder that cannot be listed is a refused row. Never fails
/// as a whole.
Plugins load_plugins(std::span<const std::filesystem::path> folders);

}  // namespace assay
