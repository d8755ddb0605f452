// Tracks of a Chrome trace: events of one track must nest or follow each other, so others need a track more.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace assay {

/// pid and tid of an event.
struct Track {
  std::int64_t process = 0, thread = 0;
};

/// What events of one track may do.
enum class Overlap { kNever, kNests };

/// A process of the trace: a process of the host, by row of processes, or a device, by its id.
struct TrackGroup {
  bool is_device = false;
  std::int64_t number = 0;
  std::int64_t id = 0;                                       ///< its pid in the trace, from 1
  std::vector<std::pair<std::int64_t, std::string>> tracks;  ///< tid, name
};

class TraceTracks {
 public:
  TraceTracks() = default;
  /// All tracks stand in one process of this pid, which is a rank of a job; those of a device have its name before
  /// theirs.
  explicit TraceTracks(std::int64_t process) : process_(process) {}

  /// Handle of a name's tracks on a process or device; asked for once, not for every event.
  using NameIndex = std::size_t;
  NameIndex host(std::uint32_t process, const std::string& name) { return named(false, process, name); }
  NameIndex device(std::int32_t device, const std::string& name) { return named(true, device, name); }

  /// The track of that name in which [start, end] fits. Events of one name must come by start. Beyond kMostLanes
  /// overlapping events share the last track.
  Track track_for(NameIndex name, std::int64_t start, std::int64_t end, Overlap overlap);
  /// pid of a name's tracks.
  [[nodiscard]] std::int64_t process_of(NameIndex name) const { return groups_[lanes_[name].group].id; }
  [[nodiscard]] const std::vector<TrackGroup>& groups() const { return groups_; }

  static constexpr std::size_t kMostLanes = 64;

 private:
  struct Lane {
    std::int64_t thread;
    std::vector<std::int64_t> open;  ///< ends of the events around the next one, outermost first
  };
  struct NamedLanes {
    std::size_t group;
    std::string name;
    std::vector<Lane> lanes;
  };

  NameIndex named(bool is_device, std::int64_t number, const std::string& name);

  std::optional<std::int64_t> process_;
  std::vector<TrackGroup> groups_;
  std::vector<NamedLanes> lanes_;
  std::map<std::pair<bool, std::int64_t>, std::size_t> group_rows_;
  std::map<std::tuple<std::size_t, std::int64_t, std::string>, NameIndex> names_;  ///< group, number, name
};

}  // namespace assay
