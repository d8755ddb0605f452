// The content of one dump of NCCL's flight recorder in PyTorch: the calls that a rank made last, and its process
// groups.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"
#include "pickle.hpp"

namespace assay::flight_recorder {

/// Names of keys that are read; their numbers are those of the texts in Dump::pickle.
enum class Key : std::uint8_t {
  kNone,  ///< the empty text
  kRecordId,
  kGroupId,
  kGroup,
  kNumber,
  kP2pNumber,
  kOperationId,
  kOperation,
  kCreated,
  kStarted,
  kCompleted,
  kInputSizes,
  kInputTypes,
  kOutputSizes,
  kOutputTypes,
  kState,
  kTimeout,
  kIsP2p,
  kFrames,  ///< the last one of an entry
  kVersion,
  kLibrary,
  kOldLibrary,
  kGroups,
  kStatus,
  kEntries,
  kName,
  kDescription,
  kRanks,
  kFile,
  kLine,
  kEnqueued,
  kLastStarted,
  kLastCompleted,
};

/// A call, by key; kinds of values are unchecked.
struct Entry {
  std::array<pickles::Value, static_cast<std::size_t>(Key::kFrames) + 1> values = {};
  [[nodiscard]] pickles::Value operator[](Key key) const { return values[static_cast<std::size_t>(key)]; }
};

/// A process group that the rank is a member of. kNoCell: unknown.
struct Group {
  std::string name, description, ranks;
  std::vector<std::int64_t> members;  ///< `ranks` as numbers; empty: unknown
  std::int64_t local_id = kNoCell, enqueued = kNoCell, started = kNoCell, completed = kNoCell;
};

struct Dump {
  std::unique_ptr<pickles::Pickle> pickle;  ///< owns texts and containers; never null
  std::string version, library;
  std::vector<Group> groups;
  std::vector<Entry> entries;
  std::string damage;      ///< why it was read in part, from "byte N" on; empty: it is intact
  std::size_t unread = 0;  ///< entries without readable numbers

  [[nodiscard]] std::string_view text(pickles::Value value) const { return pickle->text(pickle->resolve(value)); }
  /// A number, or a text of digits as JSON has it; kNoCell otherwise.
  [[nodiscard]] std::int64_t number(pickles::Value value) const;
  [[nodiscard]] std::span<const pickles::Value> values(pickles::Value container) const;
  /// The group of a call; null: unknown.
  [[nodiscard]] const Group* group_of(const Entry& entry) const;
};

/// Bytes of a file, at most `limit`. Throws pickles::Refusal.
std::string bytes_of(const std::filesystem::path& file, std::size_t limit = std::string::npos);

/// Reads a pickle or JSON as far as it goes. Throws pickles::Refusal if it is not a dump at all, or needs more than
/// `most_bytes` of memory.
Dump read_dump(std::string_view bytes, std::size_t most_bytes);

/// By its first keys.
bool begins_like_a_dump(std::string_view head);

}  // namespace assay::flight_recorder
