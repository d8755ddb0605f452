// Stores the files of a run in one cache entry, so that unchanged files need not be opened again.
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

/// A file as an earlier run saw it.
struct SeenFile {
  cache::FileContent content;                  ///< digest and stat fields
  std::optional<cache::FileContent> looked{};  ///< its state when `found` was determined
  bool read = false;                           ///< `content` is known
  bool settled = false;                        ///< a change after `content` was read shows in its state
  bool changed = false;                        ///< the file changed during the run
  FoundFile found{};                           ///< kind and environment of a report; empty for other files
  std::optional<RunFacts> facts{};             ///< of a report, if they were read
};

/// Thread-safe.
class SeenFiles final : public FileMemory {
 public:
  /// `whose` distinguishes runs over other files. `trust_times`: a file with unchanged size, times and inode counts as
  /// unchanged; otherwise it is read to find out. Null if the system cannot identify the running code, since another
  /// program may recognize files differently.
  static std::unique_ptr<SeenFiles> make(cache::Store& store, const Plugins& loaded, std::string_view whose,
                                         bool trust_times);

  FoundFile found(const std::filesystem::path& path, std::string name,
                  FoundFile (*look)(const std::filesystem::path&, std::string)) const override;
  RunFacts facts(const FoundFile& file, RunFacts (*read)(const FoundFile&)) const override;
  [[nodiscard]] std::optional<files::Digest> digest(const std::filesystem::path& path) const override;
  void learn(const std::filesystem::path& path) const override;

  /// Content of a file; `report`: SQLite may keep a log next to it. Read once per run, and again only if a change might
  /// not show in its state. Empty if it is not settled.
  [[nodiscard]] std::optional<cache::FileContent> content(const std::filesystem::path& file, bool report) const;
  /// Like content, but also empty for a file that changed during the run.
  [[nodiscard]] std::optional<cache::FileContent> steady(const std::filesystem::path& file, bool report) const;

  /// Stores the files of this run.
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
