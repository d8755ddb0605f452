// File format of a cache entry: magic, version, lengths, checksum, key, payload.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::cache {

/// Returns the bytes of an entry.
std::string make_entry(std::string_view key, std::string_view payload);

/// The payload within `entry`; empty unless `entry` is an intact entry of this version for this key.
std::optional<std::string_view> payload_of(std::string_view entry, std::string_view key);

}  // namespace assay::cache
