// Files as XLA's profiler writes them, from a few lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/temp_folder.hpp"

namespace assay::test {

using Message = std::string;  ///< fields of the wire format

inline Message varint(std::uint64_t value) {
  Message out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}
inline Message number(std::uint32_t field, std::int64_t value) {
  return varint(field << 3U) + varint(static_cast<std::uint64_t>(value));
}
inline Message bytes(std::uint32_t field, const Message& value) {
  return varint(field << 3U | 2U) + varint(value.size()) + value;
}

/// Times in ps, `stats` as texts or numbers by name.
struct PlaneEvent {
  std::string name;
  std::int64_t offset = 0, duration = 0;
  std::vector<std::pair<std::string, std::int64_t>> numbers = {};
  std::vector<std::pair<std::string, std::string>> texts = {};
};

struct PlaneLine {
  std::string name;
  std::int64_t id = 0, begin = 0;  ///< ns
  std::vector<PlaneEvent> events = {};
};

class MadePlane {
 public:
  explicit MadePlane(std::string name) : name_(std::move(name)) {}

  MadePlane& stat(const std::string& name, std::int64_t value) {
    own_ += bytes(6, number(1, stat_id(name)) + number(3, value));
    return *this;
  }
  MadePlane& stat(const std::string& name, const std::string& value) {
    own_ += bytes(6, number(1, stat_id(name)) + bytes(5, value));
    return *this;
  }
  MadePlane& line(const PlaneLine& made) {
    Message line = number(1, made.id) + bytes(2, made.name) + number(3, made.begin);
    for (const PlaneEvent& event : made.events) line += bytes(4, message(event));
    lines_ += bytes(3, line);
    return *this;
  }
  /// Metadata of a program, with its HloProto.
  MadePlane& program(const std::string& name, std::int64_t id, const Message& proto) {
    const Message stats = bytes(5, number(1, stat_id("Hlo Proto")) + bytes(6, proto)) +
                          bytes(5, number(1, stat_id("program_id")) + number(3, id));
    metadata_ += bytes(4, number(1, id) + bytes(2, number(1, id) + bytes(2, name) + stats));
    return *this;
  }
  [[nodiscard]] Message message() const {
    Message stats;
    for (const auto& [name, id] : stats_) stats += bytes(5, entry(id, name));
    Message events = metadata_;
    for (const auto& [name, id] : events_) events += bytes(4, entry(id, name));
    return bytes(2, name_) + lines_ + events + stats + own_;
  }

 private:
  static Message entry(std::int64_t id, const std::string& name) {
    return number(1, id) + bytes(2, number(1, id) + bytes(2, name));
  }
  std::int64_t stat_id(const std::string& name) {
    return stats_.try_emplace(name, static_cast<std::int64_t>(stats_.size()) + 1).first->second;
  }
  Message message(const PlaneEvent& made) {
    const std::int64_t id = events_.try_emplace(made.name, static_cast<std::int64_t>(events_.size()) + 1).first->second;
    Message event = number(1, id) + number(2, made.offset) + number(3, made.duration);
    for (const auto& [name, value] : made.numbers) event += bytes(4, number(1, stat_id(name)) + number(4, value));
    for (const auto& [name, value] : made.texts)  // a text that is referred to is the name of a statistic
      event += bytes(4, number(1, stat_id(name)) + number(7, stat_id(value)));
    return event;
  }

  std::string name_;
  Message lines_, own_, metadata_;
  std::map<std::string, std::int64_t> events_, stats_;
};

struct MadeInstruction {
  std::string name, opcode, path = {};
};

/// An HloProto of one computation; the file has the instructions the other way round than the schedule.
inline Message made_program(const std::vector<MadeInstruction>& instructions) {
  constexpr std::int64_t kEntry = 4;
  Message computation = bytes(1, "main") + number(5, kEntry), order;
  for (std::size_t i = instructions.size(); i-- > 0;) {
    const MadeInstruction& of = instructions[i];
    computation += bytes(2, bytes(1, of.name) + bytes(2, of.opcode) + bytes(7, bytes(2, of.path)) +
                                number(35, static_cast<std::int64_t>(i)));
  }
  for (std::size_t i = 0; i < instructions.size(); ++i) order += varint(i);
  const Message sequence = number(1, kEntry) + bytes(2, bytes(1, order));
  return bytes(1, bytes(1, "jit_f") + bytes(3, computation) + number(6, kEntry) + bytes(7, bytes(1, sequence)));
}

inline Message made_space(const std::vector<MadePlane>& planes, const std::string& host = "node1") {
  Message space;
  for (const MadePlane& plane : planes) space += bytes(1, plane.message());
  return space + bytes(4, host);
}

/// The file of a space, as long as this lives.
class MadeSpace {
 public:
  explicit MadeSpace(const Message& space) : path_(folder_.write("host.xplane.pb", space)) {}
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  TempFolder folder_;
  std::filesystem::path path_;
};

}  // namespace assay::test
