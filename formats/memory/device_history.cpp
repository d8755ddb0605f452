#include "device_history.hpp"

#include <algorithm>
#include <map>
#include <ranges>

namespace assay::memory_snapshot {
namespace {

using State = Place::State;

/// Wraps around: the sizes in a file may be arbitrary.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// What an event does to the block at its address.
enum class Effect : std::uint8_t {
  kNone,
  kAllocates,
  kReplaces,  ///< allocates although the previous free was not recorded
  kFrees,
  kFreesAndCompletes,
  kCompletes,  ///< the free was requested earlier
};

Effect effect_of(Action action, State state) {
  const bool in_use = state == State::kInUse;
  if (action == Action::kAlloc) return in_use ? Effect::kReplaces : Effect::kAllocates;
  if (action == Action::kFreeRequested) return in_use ? Effect::kFrees : Effect::kNone;
  if (in_use) return Effect::kFreesAndCompletes;
  return state == State::kFreeRequested ? Effect::kCompletes : Effect::kNone;
}

State state_after(Action action) {
  if (action == Action::kAlloc) return State::kInUse;
  return action == Action::kFreeRequested ? State::kFreeRequested : State::kFree;
}

}  // namespace

struct DeviceHistory::Output {
  std::int64_t begin, end;
  AllocationColumns allocations;
  ChangeColumns changes;
  std::size_t allocation, change;  // next rows
  std::int64_t allocated = 0, reserved = 0;
  bool is_known = true;  ///< no event before could not be read

  std::int64_t add_change(std::int64_t time, std::int32_t device, std::int64_t bytes) {
    allocated = sum(allocated, bytes);
    changes.time[change] = time;
    changes.device[change] = device;
    changes.bytes[change] = bytes;
    changes.allocated[change] = is_known ? allocated : std::int64_t{kNone};
    changes.reserved[change] = reserved;
    return static_cast<std::int64_t>(change++);
  }
};

DeviceHistory::DeviceHistory(Snapshot& snapshot, std::int32_t device, Slice events)
    : snapshot_(snapshot), device_(device), events_(events) {
  for (std::size_t e = events_.first; e < events_.first + events_.count && !has_requests_; ++e)
    has_requests_ = snapshot_.events[e].action == Action::kFreeRequested;
  Interner addresses;  // place n is its number n + 1
  std::int64_t last = 0;
  for (std::size_t e = events_.first; e < events_.first + events_.count; ++e) {
    Event& event = snapshot_.events[e];
    if (event.action != Action::kOther && !is_possible(event)) event.action = Action::kUnread;
    if (event.action != Action::kOther) event.time = last = std::max(event.time, last);  // clocks of threads differ
    switch (event.action) {
      case Action::kAlloc:
      case Action::kFreeRequested:
      case Action::kFreeCompleted:
        scan_use(event, index_of_address(event.address, addresses));
        break;
      case Action::kOutOfMemory:
        failures.push_back({event.time, device_, false, event.size, event.address, event.stack});
        break;
      case Action::kOther:
        ++doubts.unknown_actions;
        break;
      case Action::kUnread:
        ++doubts.unread;
        break;
      default:
        segment_events_.push_back(e);
    }
  }
  for (const Segment& segment : snapshot_.segments) {
    if (segment.device != device_) continue;
    for (std::size_t b = segment.blocks.first; b < segment.blocks.first + segment.blocks.count; ++b) {
      const Block& block = snapshot_.blocks[b];
      if (block.state == BlockState::kInactive) continue;
      Place& place = places_[index_of_address(block.address, addresses)];
      place.stream = segment.stream;
      scan_block(block, place);
    }
  }
  finish_scan();
}

std::size_t DeviceHistory::index_of_address(std::int64_t address, Interner& addresses) {
  const std::size_t number = addresses.intern({reinterpret_cast<const char*>(&address), sizeof(address)}) - 1;
  if (number == places_.size()) places_.push_back({.address = address});
  return number;
}

void DeviceHistory::scan_use(Event& event, std::size_t number) {
  Place& place = places_[number];
  event.address = static_cast<std::int64_t>(number);
  if (place.state == State::kUnknown && event.action != Action::kAlloc) {
    const bool requested = event.action == Action::kFreeCompleted && has_requests_;
    place.state = place.before = requested ? State::kFreeRequested : State::kInUse;
    place.requested = event.size;
  }
  const Effect effect = effect_of(event.action, place.state);
  const bool allocates = effect == Effect::kAllocates || effect == Effect::kReplaces;
  allocation_rows_ += allocates ? 1 : 0;
  place.allocations += allocates ? 1 : 0;
  change_rows_ += effect == Effect::kReplaces ? 2 : effect == Effect::kNone || effect == Effect::kCompletes ? 0 : 1;
  doubts.allocated_twice += effect == Effect::kReplaces ? 1 : 0;
  place.state = state_after(event.action);
}

void DeviceHistory::scan_block(const Block& block, Place& place) {
  const State state = block.state == BlockState::kAllocated ? State::kInUse : State::kFreeRequested;
  if (place.state == State::kUnknown) {
    place.before = place.state = state;
    place.requested = block.requested;
  }
  if (place.state == state) place.last = &block;
  doubts.unexplained += place.state == state ? 0 : 1;
}

void DeviceHistory::finish_scan() {
  const bool has_segments =
      std::ranges::any_of(snapshot_.segments, [&](const Segment& s) { return s.device == device_; });
  for (Place& place : places_) {
    allocation_rows_ += place.before == State::kInUse ? 1 : 0;
    doubts.unexplained += has_segments && place.state == State::kInUse && place.last == nullptr ? 1 : 0;
  }
  find_retries();
}

/// Segments freed by the same call right before another one is allocated.
void DeviceHistory::find_retries() {
  std::size_t last = 0;
  std::int64_t freed = 0;
  for (const std::size_t e : segment_events_) {
    const Event& event = snapshot_.events[e];
    if (freed > 0 && (e != last + 1 || event.stack != snapshot_.events[last].stack)) freed = 0;
    if (freed > 0 && event.action == Action::kSegmentAlloc)
      failures.push_back({event.time, device_, true, event.size, freed, event.stack});
    freed = event.action == Action::kSegmentFree ? sum(freed, event.size) : 0;
    last = e;
  }
  std::ranges::stable_sort(failures, {}, &Failure::time);
}

void DeviceHistory::write(std::int64_t begin, std::int64_t end, AllocationColumns allocations,
                          std::size_t first_allocation, ChangeColumns changes, std::size_t first_change) {
  Output to{begin, end, allocations, changes, first_allocation, first_change};
  BlockSizes sizes(snapshot_.settings);
  to.reserved = begin_segments(sizes);
  start_places(sizes, to);
  for (std::size_t e = events_.first; e < events_.first + events_.count; ++e) {
    const Event& event = snapshot_.events[e];
    switch (event.action) {
      case Action::kAlloc:
      case Action::kFreeRequested:
      case Action::kFreeCompleted:
        apply(event, sizes, to);
        break;
      case Action::kSegmentAlloc:
        sizes.add_segment(event.address, event.size, false);
        to.reserved = sum(to.reserved, event.size);
        break;
      case Action::kSegmentFree:
        sizes.drop_segment(event.address);
        to.reserved = sum(to.reserved, -event.size);
        break;
      case Action::kUnread:
        to.is_known = false;
        break;
      case Action::kSegmentMap:
        to.reserved = sum(to.reserved, event.size);
        break;
      case Action::kSegmentUnmap:
        to.reserved = sum(to.reserved, -event.size);
        break;
      default:
        break;
    }
  }
}

/// The segments at the beginning are derived backwards from those at the end.
std::int64_t DeviceHistory::begin_segments(BlockSizes& sizes) const {
  std::map<std::int64_t, std::int64_t> there;
  std::int64_t reserved = 0;
  for (const Segment& segment : snapshot_.segments) {
    if (segment.device != device_) continue;
    reserved = sum(reserved, segment.size);
    if (segment.expandable)
      sizes.add_segment(segment.address, segment.size, true);
    else
      there[segment.address] = segment.size;
  }
  for (const std::size_t e : std::views::reverse(segment_events_)) {
    const Event& event = snapshot_.events[e];
    const bool grows = event.action == Action::kSegmentAlloc || event.action == Action::kSegmentMap;
    reserved = sum(reserved, grows ? -event.size : event.size);
    if (event.action == Action::kSegmentAlloc) there.erase(event.address);
    if (event.action == Action::kSegmentFree) there[event.address] = event.size;
    // Blocks of expandable segments depend only on their address ranges, not on which of them are mapped.
    if (event.action == Action::kSegmentMap || event.action == Action::kSegmentUnmap)
      sizes.add_segment(event.address, event.size, true);
  }
  for (const auto& [address, size] : there) sizes.add_segment(address, size, false);
  return reserved;
}

/// Blocks from before the history, highest address first, so that each knows where the next one begins.
void DeviceHistory::start_places(BlockSizes& sizes, Output& to) {
  std::vector<Place*> old;
  for (Place& place : places_) {
    place.state = place.before;
    if (place.before != State::kFree) old.push_back(&place);
  }
  std::ranges::sort(old, std::ranges::greater(), &Place::address);
  for (Place* place : old) {
    make_block(*place, place->requested, sizes);
    const bool is_exact = place->allocations == 0 && place->last != nullptr;
    doubts.unknown_sizes += is_exact || sizes.is_exact(place->address, place->size) ? 0 : 1;
  }
  std::ranges::reverse(old);
  for (Place* place : old) {
    if (place->state != State::kInUse) continue;
    const std::uint32_t stack = place->allocations == 0 && place->last != nullptr ? place->last->stack : 0;
    begin_allocation({.time = to.begin, .size = place->requested, .stack = stack}, *place, kNone, to);
    to.allocated = sum(to.allocated, place->size);
  }
}

/// Creates the block of an allocation. The size of the last one is known if it still exists at the end.
void DeviceHistory::make_block(Place& place, std::int64_t requested, BlockSizes& sizes) {
  if (place.allocations == 0 && place.last != nullptr) {
    place.size = place.last->size;
    sizes.add_block(place.address, place.size);
  } else {
    place.size = sizes.allocate(place.address, requested);
  }
}

void DeviceHistory::apply(const Event& event, BlockSizes& sizes, Output& to) {
  Place& place = places_[static_cast<std::size_t>(event.address)];
  const State before = place.state;
  const Effect effect = effect_of(event.action, before);
  place.state = state_after(event.action);
  if (effect == Effect::kFrees || effect == Effect::kFreesAndCompletes || effect == Effect::kReplaces) {
    const auto row = static_cast<std::size_t>(place.row);
    to.allocations.end[row] = event.time;
    to.allocations.freed_by[row] = to.add_change(event.time, device_, -place.size);
  }
  if (before != State::kFree && place.state != State::kFreeRequested) sizes.free(place.address, place.size);
  if (event.action != Action::kAlloc) return;
  --place.allocations;
  make_block(place, event.size, sizes);
  begin_allocation(event, place, to.add_change(event.time, device_, place.size), to);
}

void DeviceHistory::begin_allocation(const Event& event, Place& place, std::int64_t change, Output& to) const {
  const std::size_t row = to.allocation++;
  place.row = static_cast<std::int64_t>(row);
  AllocationColumns& rows = to.allocations;
  rows.begin[row] = event.time;
  rows.end[row] = to.end;
  rows.address[row] = place.address;
  rows.size[row] = place.size;
  rows.requested[row] = event.size;
  rows.stream[row] = event.stream == 0 ? place.stream : snapshot_.stream(event.stream);
  rows.device[row] = device_;
  rows.stack[row] = event.stack;
  rows.context[row] = event.context;
  rows.allocated_by[row] = change;
  rows.freed_by[row] = kNone;
}

}  // namespace assay::memory_snapshot
