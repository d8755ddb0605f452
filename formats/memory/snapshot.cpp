#include "snapshot.hpp"

#include <cstring>
#include <utility>

#include "pickle.hpp"
#include "snapshot_builder.hpp"

namespace assay::memory_snapshot {
namespace {

constexpr std::int64_t kMaxTime = std::int64_t{1} << 53;  // us: 285 years
constexpr std::int64_t kMaxAddress = std::int64_t{1} << 60;
constexpr std::int64_t kMaxSize = std::int64_t{1} << 48;  // 256 TiB

bool is_extent(std::int64_t address, std::int64_t size) {
  return address >= 0 && address < kMaxAddress && size >= 0 && size < kMaxSize;
}

/// Drops entries with impossible numbers.
void drop_impossible(Snapshot& snapshot) {
  std::erase_if(snapshot.marks, [](const Mark& mark) { return mark.time < 0 || mark.time >= kMaxTime; });
  std::erase_if(snapshot.segments, [](const Segment& segment) { return !is_extent(segment.address, segment.size); });
  for (Block& block : snapshot.blocks) {
    if (!is_extent(block.address, block.size) || !is_extent(0, block.requested)) block = {};
  }
}

}  // namespace

bool is_possible(const Event& event) {
  return event.time >= 0 && event.time < kMaxTime && is_extent(event.address, event.size);
}

Frame Snapshot::frame(std::uint32_t number) const {
  Frame frame;
  if (const std::string_view bytes = frames.at(number); bytes.size() == sizeof(frame))
    std::memcpy(&frame, bytes.data(), sizeof(frame));
  return frame;
}

std::span<const std::uint32_t> Snapshot::stack(std::uint32_t number) const {
  const std::string_view bytes = stacks.at(number);  // aligned: every stack has a whole number of frames
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)};
}

std::int64_t Snapshot::stream(std::uint32_t number) const {
  std::int64_t stream = -1;
  if (number != 0) std::memcpy(&stream, streams.at(number).data(), sizeof(stream));
  return stream;
}

Snapshot read_snapshot(const std::filesystem::path& file, std::size_t most_bytes) {
  ByteSource source(file);
  if (!source.is_open()) throw Refusal("the file cannot be opened");
  Snapshot snapshot;
  SnapshotBuilder builder(snapshot);
  Pickle pickle(builder, most_bytes);
  SnapshotBuilder::number_words(pickle.texts());
  builder.finish(pickle.read(source), pickle);
  snapshot.texts = std::move(pickle.texts());
  drop_impossible(snapshot);
  return snapshot;
}

bool begins_like_a_snapshot(std::string_view head) {
  const bool pickle = head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
  return pickle &&
         (head.find("segments") != std::string_view::npos || head.find("device_traces") != std::string_view::npos);
}

}  // namespace assay::memory_snapshot
