// Pickles and memory snapshots from a few lines, as opcodes of protocol 4 (what protocol 2 has too but for its memo).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "support/temp_folder.hpp"

namespace assay::test {

using PickleBytes = std::string;  ///< opcodes that leave one value on the stack

template <class Number>
std::string little_endian(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

inline PickleBytes pickled(std::int64_t number) { return "\x8a\x08" + little_endian(number); }
inline PickleBytes pickled(const std::string& text) {
  return "X" + little_endian(static_cast<std::uint32_t>(text.size())) + text;
}

inline PickleBytes joined(const std::vector<PickleBytes>& values) {
  std::string all;
  for (const PickleBytes& value : values) all += value;
  return all;
}
inline PickleBytes list(const std::vector<PickleBytes>& values) { return "](" + joined(values) + "e"; }
inline PickleBytes dict(const std::vector<std::pair<std::string, PickleBytes>>& items) {
  std::string all = "}(";
  for (const auto& [key, value] : items) all += pickled(key) + value;
  return all + "u";
}
inline std::string whole(const PickleBytes& value) { return "\x80\x04" + value + "."; }

inline PickleBytes frame(const std::string& function, const std::string& file, std::int64_t line) {
  return dict({{"name", pickled(function)}, {"filename", pickled(file)}, {"line", pickled(line)}});
}

/// Sizes in bytes, times in us.
struct MadeEvent {
  std::string action;
  std::int64_t time = 0, address = 0, size = 0;
  std::vector<PickleBytes> frames = {};
};
inline PickleBytes pickled(const MadeEvent& event) {
  return dict({{"action", pickled(event.action)},
               {event.action == "oom" ? "device_free" : "addr", pickled(event.address)},
               {"size", pickled(event.size)},
               {"stream", pickled(0)},
               {"time_us", pickled(event.time)},
               {"frames", list(event.frames)}});
}

struct MadeBlock {
  std::int64_t address = 0, size = 0, requested = 0;
  std::string state = "active_allocated";
};

struct MadeSegment {
  std::int64_t address = 0, size = 0;
  std::vector<MadeBlock> blocks = {};
  bool expandable = false;
  std::int64_t device = 0;
};
inline PickleBytes pickled(const MadeSegment& segment) {
  std::vector<PickleBytes> blocks;
  for (const MadeBlock& block : segment.blocks)
    blocks.push_back(dict({{"address", pickled(block.address)},
                           {"size", pickled(block.size)},
                           {"requested_size", pickled(block.requested)},
                           {"state", pickled(block.state)},
                           {"frames", list({})}}));
  return dict({{"device", pickled(segment.device)},
               {"address", pickled(segment.address)},
               {"total_size", pickled(segment.size)},
               {"stream", pickled(0)},
               {"is_expandable", segment.expandable ? PickleBytes("\x88") : PickleBytes("\x89")},
               {"segment_pool_id", pickled(0) + pickled(0) + "\x86"},
               {"blocks", list(blocks)}});
}

struct MadeMark {
  std::string stage, name;
  std::int64_t time = 0;
};

/// A snapshot of one or more devices.
struct MadeSnapshot {
  std::vector<std::vector<MadeEvent>> traces = {};
  std::vector<MadeSegment> segments = {};
  std::vector<MadeMark> marks = {};
  std::vector<std::pair<std::string, PickleBytes>> settings = {};

  [[nodiscard]] std::string text() const {
    std::vector<PickleBytes> devices, held, stages;
    for (const auto& trace : traces) {
      std::vector<PickleBytes> events;
      for (const MadeEvent& event : trace) events.push_back(pickled(event));
      devices.push_back(list(events));
    }
    for (const MadeSegment& segment : segments) held.push_back(pickled(segment));
    for (const MadeMark& mark : marks)
      stages.push_back(dict({{"stage", pickled(mark.stage)},
                             {"name", pickled(mark.name)},
                             {"device", pickled(0)},
                             {"time_us", pickled(mark.time)}}));
    return whole(dict({{"segments", list(held)},
                       {"device_traces", list(devices)},
                       {"allocator_settings", dict(settings)},
                       {"external_annotations", list(stages)}}));
  }
};

/// A file of these bytes in a folder of the test's own.
class MadeFile {
 public:
  explicit MadeFile(const std::string& bytes) : path_(folder_.write("made.pickle", bytes)) {}
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TempFolder folder_;
  std::filesystem::path path_;
};

}  // namespace assay::test
