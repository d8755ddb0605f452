// A plane of a file: its metadata by number, its lines and events.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "text_pool.hpp"
#include "wire.hpp"

namespace assay::xplane {

/// The statistics that are read.
enum class Stat : std::uint8_t {
  kOther,
  kCorrelation,
  kContext,
  kGraphNode,
  kKernelDetails,
  kTransferDetails,
  kSetDetails,
  kTfOp,
  kName,
  kHloOp,
  kProgram,
  kStep,
  kRuntime,  ///< location in the sources of XLA or order of events: annotations of a program have neither
  kAllocator,
  kAllocationBytes,
  kBytesAllocated,
  kBytesReserved,
  kCount
};

/// The value of a statistic: a number or a text.
struct StatValue {
  std::uint64_t bits = 0;  ///< of a number
  std::string_view text;
  TextId id = 0;  ///< of a text that is the name of a statistic; 0: the text is in the event itself
  bool is_real = false;

  [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
};

/// Metadata of one plane by number. Numbers are usually small and looked up without a search.
template <class Value>
class ById {
 public:
  void add(std::int64_t id, Value value) { entries_.push_back({id, std::move(value)}); }
  /// Sorts the entries added; for equal numbers the later one stays.
  void finish() {
    std::ranges::reverse(entries_);
    std::ranges::stable_sort(entries_, {}, &Entry::id);
    const auto repeated = std::ranges::unique(entries_, {}, &Entry::id);
    entries_.erase(repeated.begin(), repeated.end());
    if (entries_.empty()) return;
    const std::int64_t last = entries_.back().id;
    if (entries_.front().id < 0 || last >= 4 * static_cast<std::int64_t>(entries_.size()) + 64) return;
    places_.assign(static_cast<std::size_t>(last) + 1, kNowhere);
    for (std::size_t e = 0; e < entries_.size(); ++e)
      places_[static_cast<std::size_t>(entries_[e].id)] = static_cast<std::uint32_t>(e);
  }
  /// Null if there is none.
  [[nodiscard]] const Value* find(std::int64_t id) const {
    if (!places_.empty()) {
      if (static_cast<std::uint64_t>(id) >= places_.size()) return nullptr;
      const std::uint32_t place = places_[static_cast<std::size_t>(id)];
      return place == kNowhere ? nullptr : &entries_[place].value;
    }
    const auto at = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
    return at == entries_.end() || at->id != id ? nullptr : &at->value;
  }
  template <class Use>
  void each(Use&& use) const {
    for (const Entry& entry : entries_) use(entry.value);
  }

 private:
  struct Entry {
    std::int64_t id;
    Value value;
  };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  ///< by number; empty: numbers are sparse
};

struct StatName {
  std::string_view name;
  Stat stat = Stat::kOther;
  TextId text = 0;  ///< of the name
};

struct EventName {
  std::string_view name, message;  ///< the message of its metadata
  TextId text = 0;                 ///< of the name
};

class PlaneMetadata;

/// The statistics of an event that are read; missing ones stay cleared.
class EventStats {
 public:
  void clear() { said_ = 0; }
  void read(std::string_view message, const PlaneMetadata& metadata);
  [[nodiscard]] bool has(Stat stat) const { return (said_ >> static_cast<unsigned>(stat) & 1U) != 0; }
  [[nodiscard]] std::int64_t integer(Stat stat) const { return has(stat) ? value(stat).integer() : -1; }
  [[nodiscard]] std::string_view text(Stat stat) const { return has(stat) ? value(stat).text : std::string_view(); }
  [[nodiscard]] TextId text_id(Stat stat) const { return has(stat) ? value(stat).id : 0; }

 private:
  [[nodiscard]] const StatValue& value(Stat stat) const { return values_[static_cast<std::size_t>(stat)]; }

  StatValue values_[static_cast<std::size_t>(Stat::kCount)];
  std::uint32_t said_ = 0;
};

/// Metadata of a plane. Refers to the file.
class PlaneMetadata {
 public:
  /// Event names are added to the pool.
  PlaneMetadata(std::string_view plane, TextPool& texts);

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] const StatName* stat(std::int64_t id) const { return stats_.find(id); }
  /// Metadata of an event; null if there is none.
  [[nodiscard]] const EventName* event(std::int64_t id) const { return events_.find(id); }
  /// Calls `use(name, StatValue)` for each statistic of the plane itself.
  template <class Use>
  void each_stat(Use&& use) const {
    for (const std::string_view message : own_) read_stat(message, use);
  }
  /// Calls `use(name, StatValue)` for a statistic, with references resolved.
  template <class Use>
  void read_stat(std::string_view message, Use&& use) const {
    std::int64_t id = 0;
    FieldReader fields(message);
    const StatValue value = stat_value(fields, id);
    if (const StatName* const named = stats_.find(id)) use(named->name, value);
  }
  /// From the fields not read yet.
  [[nodiscard]] StatValue stat_value(FieldReader& fields, std::int64_t& id) const;
  /// Calls `use(EventName)` for each event's metadata.
  template <class Use>
  void each_event(Use&& use) const {
    events_.each(use);
  }

 private:
  std::string_view name_;
  ById<EventName> events_;
  ById<StatName> stats_;
  std::vector<std::string_view> own_;
};

/// Whether a field of a line is a non-empty event: a file of empty ones, two bytes each, must not allocate rows.
inline bool is_event(const Field& field) { return field.is_bytes(4) && !field.bytes.empty(); }

/// A line of a plane: a stream of a device, or a thread.
struct Line {
  std::int64_t id = 0, begin = 0;  ///< ns
  std::size_t events = 0;
  std::string_view name, display_name;
  std::string_view message;
};
Line read_line(std::string_view message);

/// An event as stored in the file.
struct Event {
  std::int64_t metadata = 0;
  std::int64_t start = 0, end = 0;  ///< ns
  bool is_interval = false;         ///< has a duration
};
/// Reads an event of a line with its statistics.
Event read_event(std::string_view message, const Line& line, const PlaneMetadata& metadata, EventStats& stats);

}  // namespace assay::xplane
