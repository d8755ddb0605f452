// What is remembered of files by their state: path, inode, size and times. For runs that trust these.
#pragma once

#include "cache/still_file.hpp"
#include "cache/store.hpp"
#include "catalog/file_memory.hpp"
#include "plugins/plugins.hpp"

namespace assay {

/// Digest of the bytes that `file` held when it was last read in this state; and keeps it, once the file has settled.
std::optional<files::Digest> seen_bytes(const cache::Store& store, const std::filesystem::path& file,
                                        const cache::FileContent& state);
void keep_seen_bytes(cache::Store& store, const std::filesystem::path& file, const cache::FileContent& content);

/// What reports were when they were last looked at.
class SeenFiles final : public FileMemory {
 public:
  /// Nothing when the system does not tell which code runs: another program may see other things in a file.
  static std::optional<SeenFiles> make(cache::Store& store, const Plugins& loaded);

  FoundFile found(const std::filesystem::path& path, std::string name,
                  FoundFile (*look)(const std::filesystem::path&, std::string)) const override;
  [[nodiscard]] std::optional<files::Digest> digest(const std::filesystem::path& path) const override;
  void learn(const std::filesystem::path& path) const override;

 private:
  SeenFiles(cache::Store& store, std::string program) : store_(&store), program_(std::move(program)) {}

  cache::Store* store_;
  std::string program_;  ///< of keys
};

}  // namespace assay
