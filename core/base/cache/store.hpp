// A folder of entries: found by key, written whole or not at all, and trimmed. Any number of threads and processes may
// use one folder at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace assay::cache {

/// Nothing in it is ever an error: what cannot be read is not there, what cannot be written stays unwritten.
class Store {
 public:
  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// The payload kept under `key`. A damaged entry, one of another version, and one that another user may have put
  /// there are not there. A found one counts as used now.
  [[nodiscard]] std::optional<std::string> find(std::string_view key) const;

  /// Keeps `payload` under `key`, in place of what was there.
  void keep(std::string_view key, std::string_view payload);

  /// Removes entries, those not used for longest first, until the rest takes at most `bytes`; and what interrupted
  /// writers left. Files that are not of this class stay.
  void trim(std::uint64_t bytes) const;

  /// Where the entry of `key` stands, whether it is there or not.
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;

  [[nodiscard]] bool wrote() const { return wrote_; }
  /// Why something could not be kept or is not believed; the first reason. Nothing more is kept after it.
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

/// Default folder: $XDG_CACHE_HOME/assay, or ~/.cache/assay; nothing when neither variable names an absolute path.
std::optional<std::filesystem::path> default_folder();

}  // namespace assay::cache
