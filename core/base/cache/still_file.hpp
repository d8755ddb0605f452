// Digest of a file, returned only if it did not change while it was read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "files/digest.hpp"

namespace assay::cache {

/// The bytes of a file and the state in which they were read. Equal states with different bytes are possible, within
/// the grain of the file system's clock: who wants to know whether a file changed compares both.
struct FileContent {
  files::Digest bytes;
  std::uint64_t device = 0, node = 0, size = 0;
  std::int64_t modified_s = 0, modified_ns = 0, changed_s = 0, changed_ns = 0;
  friend bool operator==(const FileContent&, const FileContent&) = default;
};

/// Reads the whole file. Nothing when that fails, when it is no regular file, or when it changed meanwhile.
std::optional<FileContent> read_content(const std::filesystem::path& file);

/// As read_content, for a report; nothing also when a log or journal of SQLite lies beside it, for then what is read
/// depends on that too.
std::optional<FileContent> read_report_content(const std::filesystem::path& file);

/// As those without reading the file: `bytes` is zero. Nothing where they would give nothing without reading it.
std::optional<FileContent> content_state(const std::filesystem::path& file);
std::optional<FileContent> report_state(const std::filesystem::path& file);

/// Whether it was written long enough ago that a later change shows in its times, whatever the grain of the file
/// system's clock.
bool is_settled(const FileContent& state);

}  // namespace assay::cache
