// Stage 2, plugins: shared libraries to checked descriptors.
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

/// An opened plugin. Its descriptor lives as long as it does; analyzers made from it must be gone before.
class Plugin {
 public:
  /// Opens `file` after probe_libraries, checks the handshake of abi.hpp, and says in one sentence what is wrong when
  /// it does not hold.
  static Result<std::unique_ptr<Plugin>> open(const std::filesystem::path& file);
  /// The same checks for a descriptor that is part of this program, without a library; `descriptor` must outlive it.
  static Result<std::unique_ptr<Plugin>> linked(const Descriptor& descriptor);
  ~Plugin();
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  /// What the plugin declares, as this host lays it out.
  [[nodiscard]] const Descriptor& descriptor() const;
  /// Address of the exported constant, which lies in the library.
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

/// What a user names an analyzer with: a name with a folder or of a library is a file, anything else an id.
bool is_plugin_file(std::string_view named);

/// "gcc 12.2.0, libstdc++", and ", without optimisation" where the plugin says so of itself.
std::string built_with(const Descriptor& declared);

/// The folder above the program's own, where bin/, lib/ and share/ of an installation or a build tree stand together;
/// empty when the system does not tell.
std::filesystem::path install_prefix();

/// Folders searched, in order: --plugin-path, $ASSAY_PLUGIN_PATH (':'-separated), <host>/../lib/assay/plugins.
std::vector<std::filesystem::path> plugin_folders(std::span<const std::filesystem::path> from_command_line);

/// Names of the libraries in a folder that is none of `known`, links resolved; at most 5, then "...".
std::vector<std::string> foreign_libraries(const std::filesystem::path& folder,
                                           std::span<const std::filesystem::path> known);

/// The libraries of the folders, each once and in the order in which they are opened. `searched`: the folders; a folder
/// that cannot be listed is added to `refused`.
std::vector<std::filesystem::path> libraries_of(std::span<const std::filesystem::path> folders,
                                                std::vector<std::filesystem::path>& searched,
                                                std::vector<RefusedPlugin>& refused);

/// "searched DIR, DIR": for what was not found.
std::string folders_searched(const Plugins& plugins);

/// Opens every *.so of the folders that is no format, by folder and then by file name, after all were probed
/// (probe.hpp); a file reached twice is opened once. Of two
/// plugins with one id the first found stays, the other is refused with a sentence. A metric or attribute name declared
/// by two plugins refuses the later one too. A folder that cannot be listed is a refused row. Never fails as a whole.
Plugins load_plugins(std::span<const std::filesystem::path> folders);

}  // namespace assay
