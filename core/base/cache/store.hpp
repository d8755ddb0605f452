// A folder of entries, found by key, written completely or not at all, and trimmed to a size. Threads and processes may
// share one folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cache {

/// Never fails: an entry that cannot be read is missing, one that cannot be written is not stored.
class Store {
 public:
  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// The payload stored under `key`; an entry that is damaged, of another version, or possibly written by another user
  /// counts as missing. Marks the entry as used now.
  [[nodiscard]] std::optional<std::string> find(std::string_view key) const;

  /// Stores `payload` under `key`, replacing an earlier one.
  void keep(std::string_view key, std::string_view payload);

  /// Removes the least recently used entries until the rest takes at most `bytes`, and leftovers of interrupted
  /// writers. Keeps files that are not entries.
  void trim(std::uint64_t bytes) const;

  /// Path of the entry of `key`, whether it exists or not.
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;

  [[nodiscard]] bool wrote() const { return wrote_; }
  /// Why an entry could not be stored or is not trusted; the first reason. Nothing is stored after it.
  [[nodiscard]] std::optional<std::string> problem() const;

 private:
  [[nodiscard]] bool may_be_believed(const std::filesystem::path& entry) const;
  void disable(const std::string& why) const;

  std::filesystem::path folder_;
  std::atomic<bool> wrote_{false};
  mutable std::atomic<bool> gave_up_{false};
  mutable std::mutex mutex_;
  mutable std::optional<std::string> problem_;
};

/// $XDG_CACHE_HOME/assay, or ~/.cache/assay; empty if neither variable is an absolute path.
std::optional<std::filesystem::path> default_folder();

}  // namespace assay::cache
