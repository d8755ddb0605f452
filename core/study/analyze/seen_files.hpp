// What is remembered of the files of a run, in one entry, so that those that stayed as they were need not be opened
// again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "cache/still_file.hpp"
#include "cache/store.hpp"
#include "catalog/file_memory.hpp"
#include "plugins/plugins.hpp"

namespace assay {

/// What one file was when a run went over it.
struct SeenFile {
  cache::FileContent content;                  ///< what it held
  std::optional<cache::FileContent> looked{};  ///< the state in which it was found to be what `found` says
  bool read = false;                           ///< `content` is known
  bool settled = false;                        ///< a change after `content` was read shows in its state
  bool changed = false;                        ///< it did not stay what it was while the run went on
  FoundFile found{};                           ///< kind and environment of a report; of all else nothing
};

/// Asked from several threads at once.
class SeenFiles final : public FileMemory {
 public:
  /// `whose` tells runs over other files apart. `trust_times`: a file of the same size, times and inode as when it was
  /// last read is the same; else it is read to know that. Null when the system does not tell which code runs: another
  /// program may see other things in a file.
  static std::unique_ptr<SeenFiles> make(cache::Store& store, const Plugins& loaded, std::string_view whose,
                                         bool trust_times);

  FoundFile found(const std::filesystem::path& path, std::string name,
                  FoundFile (*look)(const std::filesystem::path&, std::string)) const override;
  [[nodiscard]] std::optional<files::Digest> digest(const std::filesystem::path& path) const override;
  void learn(const std::filesystem::path& path) const override;

  /// What a file holds; `report`: one of which SQLite may keep a log. It is read once in a run, and again only where a
  /// change need not show in its state. Nothing when it is not at rest.
  [[nodiscard]] std::optional<cache::FileContent> content(const std::filesystem::path& file, bool report) const;
  /// The same, but nothing also for a file that has not been the same all through the run.
  [[nodiscard]] std::optional<cache::FileContent> steady(const std::filesystem::path& file, bool report) const;

  /// Remembers the files of this run.
  void keep() const;

 private:
  using Table = std::map<std::string, SeenFile, std::less<>>;
  SeenFiles(cache::Store& store, std::string key, bool trust_times);
  [[nodiscard]] const SeenFile* before(const std::filesystem::path& file) const;
  [[nodiscard]] std::optional<SeenFile> now(const std::filesystem::path& file) const;
  [[nodiscard]] std::optional<SeenFile> read(const std::filesystem::path& file, bool report) const;
  [[nodiscard]] const SeenFile* recognized(const std::filesystem::path& path) const;

  cache::Store* store_;
  std::string key_;
  bool trust_times_;
  std::string kept_;  ///< bytes of `before_`
  Table before_;
  mutable std::mutex mutex_;
  mutable Table now_;
};

}  // namespace assay
