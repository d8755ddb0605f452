// Assigns events to tracks of a Chrome trace: events of one track must nest or be disjoint, so others need further
// tracks.
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

/// How events of one track may overlap.
enum class Overlap { kNever, kNests };

/// A process of the trace: a process of the host, by row of processes, or a device, by its id.
struct TrackGroup {
  bool is_device = false;
  std::int64_t number = 0;
  std::int64_t id = 0;                                       ///< pid in the trace, from 1
  std::vector<std::pair<std::int64_t, std::string>> tracks;  ///< tid, name
};

class TraceTracks {
 public:
  TraceTracks() = default;
  /// Puts all tracks into one trace process with this pid, for one rank of a job; names of device tracks are prefixed
  /// with the device name.
  explicit TraceTracks(std::int64_t process) : process_(process) {}

  /// Handle for the tracks of a name on a process or device; looked up once instead of per event.
  using NameIndex = std::size_t;
  NameIndex host(std::uint32_t process, const std::string& name) { return named(false, process, name); }
  NameIndex device(std::int32_t device, const std::string& name) { return named(true, device, name); }

  /// The track of that name in which [start, end] fits. Precondition: events of one name arrive by start. Beyond
  /// kMaxLanes overlapping events share the last track.
  Track track_for(NameIndex name, std::int64_t start, std::int64_t end, Overlap overlap);
  /// pid of a name's tracks.
  [[nodiscard]] std::int64_t process_of(NameIndex name) const { return groups_[lanes_[name].group].id; }
  [[nodiscard]] const std::vector<TrackGroup>& groups() const { return groups_; }

  static constexpr std::size_t kMaxLanes = 64;

 private:
  struct Lane {
    std::int64_t thread;
    std::vector<std::int64_t> open;  ///< ends of enclosing events, outermost first
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
