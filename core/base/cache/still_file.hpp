// Digests files, and returns a digest only if the file did not change while it was read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "files/digest.hpp"

namespace assay::cache {

/// Digest and stat fields of a file. Bytes can change without the stat fields changing, within the resolution of file
/// timestamps; compare both.
struct FileContent {
  files::Digest bytes;
  std::uint64_t device = 0, node = 0, size = 0;
  std::int64_t modified_s = 0, modified_ns = 0, changed_s = 0, changed_ns = 0;
  friend bool operator==(const FileContent&, const FileContent&) = default;
};

/// Reads and digests the whole file. Empty if that fails, if it is not a regular file, or if it changed while it was
/// read.
std::optional<FileContent> read_content(const std::filesystem::path& file);

/// Like read_content, for a report; also empty if an SQLite log or journal is next to it, since its content then
/// depends on that file too.
std::optional<FileContent> read_report_content(const std::filesystem::path& file);

/// Like read_report_content, but reads only the first page and 64 others, and digests the stat fields with them: equal
/// only for the same file on the same disk that was not written since. Empty also if it is not settled. For files that
/// take long to read.
std::optional<FileContent> sample_report_content(const std::filesystem::path& file);

/// Stat fields alone, with `bytes` zero. Empty if read_report_content would return empty without reading the file.
std::optional<FileContent> content_state(const std::filesystem::path& file);
std::optional<FileContent> report_state(const std::filesystem::path& file);

/// Whether the file was written long enough ago that a later change shows in its timestamps, whatever their resolution.
bool is_settled(const FileContent& state);

}  // namespace assay::cache
