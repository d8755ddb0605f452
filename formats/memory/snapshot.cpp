#include "snapshot.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "assay/detail/longest_ascending.hpp"
#include "snapshot_builder.hpp"

namespace assay::memory_snapshot {
namespace {

constexpr std::int64_t kMaxTime = std::int64_t{1} << 53;  // us: 285 years
constexpr std::int64_t kMaxAddress = std::int64_t{1} << 60;
constexpr std::int64_t kMaxSize = std::int64_t{1} << 48;  // 256 TiB

bool is_extent(std::int64_t address, std::int64_t size) {
  return address >= 0 && address < kMaxAddress && size >= 0 && size < kMaxSize;
}

bool is_time(std::int64_t time) { return time >= 0 && time < kMaxTime; }

/// Drops entries with impossible numbers.
void drop_impossible(Snapshot& snapshot) {
  snapshot.left_out +=
      static_cast<std::int64_t>(std::erase_if(snapshot.marks, [](const Mark& mark) { return !is_time(mark.time); }) +
                                std::erase_if(snapshot.segments, [](const Segment& segment) {
                                  return !is_extent(segment.address, segment.size);
                                }));
  for (Block& block : snapshot.blocks) {
    if (is_extent(block.address, block.size) && is_extent(0, block.requested)) continue;
    block = {};
    ++snapshot.left_out;
  }
}

/// Events of a device are written in the order of their times, give or take the clocks of threads. One that lies
/// elsewhere, or that is far from all others at either end, has a wrong time.
std::vector<bool> misplaced(std::span<const std::int64_t> times) {
  constexpr std::int64_t kSecond = 1'000'000, kLongestPause = 86400 * kSecond;
  std::vector<bool> wrong(times.size(), false);
  std::int64_t latest = 0;
  bool in_order = true;
  for (const std::int64_t time : times) {
    in_order = in_order && time >= latest - kSecond;
    latest = std::max(latest, time);
  }
  if (!in_order) {
    std::vector<std::size_t> ascending = longest_ascending(times);
    // Of several that may begin the order, the one nearest to the rest.
    for (std::size_t i = 0; ascending.size() > 1 && i < ascending[1]; ++i) {
      if (times[i] <= times[ascending[1]] && times[i] > times[ascending[0]]) ascending[0] = i;
    }
    for (std::size_t i = 0, next = 0; i < times.size(); ++i) {
      if (next < ascending.size() && ascending[next] == i) {
        ++next;
        continue;
      }
      const std::int64_t before = next > 0 ? times[ascending[next - 1]] : times[i];
      const std::int64_t after = next < ascending.size() ? times[ascending[next]] : times[i];
      wrong[i] = times[i] < before - kSecond || times[i] > after + kSecond;
    }
  }
  if (times.size() > 2 && times[1] - times[0] > kLongestPause) wrong[0] = true;
  if (times.size() > 2 && times.back() - times[times.size() - 2] > kLongestPause) wrong.back() = true;
  return wrong;
}

/// Gives events without a time, or with a wrong one, that of the event before them.
void mend_times(Snapshot& snapshot, const Slice& trace) {
  std::vector<std::int64_t> times;
  std::vector<std::size_t> timed;
  const std::size_t end = trace.first + trace.count;
  for (std::size_t e = trace.first; e < end; ++e) {
    Event& event = snapshot.events[e];
    if (!is_time(event.time)) event.time = kUnread;
    if (event.action == Action::kOther || event.time == kUnread) continue;
    timed.push_back(e);
    times.push_back(event.time);
  }
  const std::vector<bool> wrong = misplaced(times);
  for (std::size_t i = 0; i < timed.size(); ++i) {
    if (!wrong[i]) continue;
    snapshot.events[timed[i]].time = kUnread;
    ++snapshot.out_of_order;
    --snapshot.without_time;
  }
  std::int64_t last = kUnread;
  for (std::size_t i = 0; i < timed.size() && last == kUnread; ++i) last = snapshot.events[timed[i]].time;
  for (std::size_t e = trace.first; e < end; ++e) {
    Event& event = snapshot.events[e];
    if (event.action == Action::kOther) continue;
    if (event.time == kUnread) {
      event.time = last == kUnread ? 0 : last;
      ++snapshot.without_time;
    }
    last = event.time;
  }
}

}  // namespace

bool is_possible(const Event& event) { return is_extent(event.address, event.size); }

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
  for (const Slice& trace : snapshot.traces) mend_times(snapshot, trace);
  return snapshot;
}

bool begins_like_a_snapshot(std::string_view head) {
  // Protocols 0 and 1 have no opcode for their number; reading refuses them.
  const bool pickle =
      head.size() > 2 && ((head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) || head[0] == '(' || head[0] == '}');
  return pickle &&
         (head.find("segments") != std::string_view::npos || head.find("device_traces") != std::string_view::npos);
}

}  // namespace assay::memory_snapshot
