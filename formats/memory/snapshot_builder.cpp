#include "snapshot_builder.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace assay::memory_snapshot {
namespace {

/// Types of records; of a list kList and the type of what it lists.
enum Record : std::uint8_t { kFrame, kStack, kEvent, kBlock, kSegment, kMark, kPair, kList = 8 };

constexpr std::int64_t kHalf = std::int64_t{1} << 27U;  // base of the two numbers of a pair

// Texts with fixed numbers, starting at 1.
// clang-format off
#define ASSAY_SNAPSHOT_WORDS(W) \
  W(kAction, "action") W(kAddr, "addr") W(kSize, "size") W(kStream, "stream") W(kTime, "time_us")                      \
  W(kFrames, "frames") W(kContext, "compile_context") W(kDeviceFree, "device_free") W(kName, "name")                   \
  W(kFile, "filename") W(kLine, "line") W(kAddress, "address") W(kRequested, "requested_size") W(kState, "state")      \
  W(kDevice, "device") W(kTotal, "total_size") W(kType, "segment_type")                    \
  W(kExpandable, "is_expandable") W(kBlocks, "blocks") W(kStage, "stage") W(kStart, "START")                           \
  W(kSegments, "segments") W(kTraces, "device_traces") W(kSettings, "allocator_settings")                              \
  W(kActiveAllocated, "active_allocated") W(kActiveAwaiting, "active_awaiting_free")                                   \
  W(kActivePending, "active_pending_free") W(kAlloc, "alloc") W(kFree, "free") W(kFreeRequested, "free_requested")     \
  W(kFreeCompleted, "free_completed") W(kSegmentAlloc, "segment_alloc") W(kSegmentFree, "segment_free")                \
  W(kSegmentMap, "segment_map") W(kSegmentUnmap, "segment_unmap") W(kOom, "oom") W(kMaxSplit, "max_split_size")        \
  W(kExpandableSegments, "expandable_segments") W(kPower2, "roundup_power2_divisions")                                 \
  W(kConf, "PYTORCH_CUDA_ALLOC_CONF")
// clang-format on
#define ASSAY_NUMBER(word, text) word,
#define ASSAY_TEXT(word, text) text,
enum Word : std::int64_t { kNoWord = 0, ASSAY_SNAPSHOT_WORDS(ASSAY_NUMBER) };
constexpr const char* kWords[] = {ASSAY_SNAPSHOT_WORDS(ASSAY_TEXT)};
#undef ASSAY_NUMBER
#undef ASSAY_TEXT
#undef ASSAY_SNAPSHOT_WORDS

/// A member that is a number under a key.
template <class T>
struct Field {
  Word key;
  std::int64_t T::* member;
};
constexpr Field<Event> kEventFields[] = {
    {kAddr, &Event::address}, {kDeviceFree, &Event::address}, {kSize, &Event::size}, {kTime, &Event::time}};
constexpr Field<Block> kBlockFields[] = {
    {kAddress, &Block::address}, {kSize, &Block::size}, {kRequested, &Block::requested}};
constexpr Field<Segment> kSegmentFields[] = {
    {kAddress, &Segment::address}, {kTotal, &Segment::size}, {kDevice, &Segment::device}, {kStream, &Segment::stream}};
constexpr Field<Mark> kMarkFields[] = {{kDevice, &Mark::device}, {kTime, &Mark::time}};

// clang-format off
constexpr std::pair<Word, Action> kActions[] = {
    {kAlloc, Action::kAlloc}, {kFreeRequested, Action::kFreeRequested}, {kFreeCompleted, Action::kFreeCompleted},
    {kFree, Action::kFreeCompleted}, {kSegmentAlloc, Action::kSegmentAlloc}, {kSegmentFree, Action::kSegmentFree},
    {kSegmentMap, Action::kSegmentMap}, {kSegmentUnmap, Action::kSegmentUnmap}, {kOom, Action::kOutOfMemory}};
// clang-format on

bool is(Value value, Word word) { return value.kind == Kind::kText && value.number == word; }

std::int64_t integer(Value value, std::int64_t otherwise = 0) {
  return value.kind == Kind::kInteger || value.kind == Kind::kBoolean ? value.number : otherwise;
}

std::uint32_t text(Value value) { return value.kind == Kind::kText ? static_cast<std::uint32_t>(value.number) : 0; }

template <class T, std::size_t kCount>
void set_number(T& record, const Field<T> (&fields)[kCount], Value key, Value value) {
  for (const Field<T>& field : fields) {
    if (is(key, field.key)) record.*field.member = integer(value, kUnread);
  }
}

Action action_of(Value value) {
  if (value.kind != Kind::kText) return Action::kUnread;
  const auto* const at = std::ranges::find_if(kActions, [&](const auto& known) { return is(value, known.first); });
  return at == std::end(kActions) ? Action::kOther : at->second;
}

template <class Number>
std::string_view bytes_of(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof(number)};
}

/// The value of a key of a resolved dict; none: of kind kNone.
Value member(std::span<const Value> dict, Word word) {
  for (std::size_t i = 0; i + 1 < dict.size(); i += 2) {
    if (is(dict[i], word)) return dict[i + 1];
  }
  return {};
}

/// Number of a stack; a list without frames is the empty stack.
std::uint32_t stack_of(Value list) {
  return list.kind == Kind::kRecord && list.type == kStack ? static_cast<std::uint32_t>(list.number) : 0;
}

BlockState state_of(Value value) {
  if (is(value, kActiveAllocated)) return BlockState::kAllocated;
  return is(value, kActiveAwaiting) || is(value, kActivePending) ? BlockState::kAwaitingFree : BlockState::kInactive;
}

/// What a dict is, by the keys that it has.
std::uint8_t type_of(std::span<const Value> dict) {
  constexpr std::pair<Word, Record> kTelling[] = {
      {kAction, kEvent}, {kTotal, kSegment}, {kState, kBlock}, {kStage, kMark}, {kFile, kFrame}};
  for (std::size_t i = 0; i < dict.size(); i += 2) {
    for (const auto& [word, type] : kTelling) {
      if (is(dict[i], word)) return type;
    }
  }
  return kList;
}

}  // namespace

void SnapshotBuilder::number_words(Interner& texts) {
  for (const char* word : kWords) texts.intern(word);
}

Value SnapshotBuilder::build(Kind container, std::span<const Value> values, const Pickle& pickle) {
  if (container == Kind::kDict) return build_dict(values, pickle);
  if (container == Kind::kList) return build_list(values, pickle);
  // Pool ids are tuples of two numbers, one for each segment or event.
  const auto fits = [](Value v) { return v.kind == Kind::kInteger && v.number >= 0 && v.number < kHalf; };
  if (values.size() != 2 || !fits(values[0]) || !fits(values[1])) return {};
  return {Kind::kRecord, kPair, values[0].number * kHalf + values[1].number};
}

Value SnapshotBuilder::build_dict(std::span<const Value> values, const Pickle& pickle) {
  const std::uint8_t type = type_of(values);
  const auto add = [](auto& records) {
    records.push_back({});
    return static_cast<std::int64_t>(records.size() - 1);
  };
  Value record{Kind::kRecord, type, 0};
  if (type == kList) return {};
  if (type == kFrame) return build_frame(values);
  if (type == kEvent) record.number = add(to_.events);
  if (type == kSegment) record.number = add(to_.segments);
  if (type == kBlock) record.number = add(to_.blocks);
  if (type == kMark) record.number = add(to_.marks);
  return extend(record, values, pickle);
}

Value SnapshotBuilder::build_list(std::span<const Value> values, const Pickle& pickle) {
  const Value first = pickle.resolve(values.front());
  if (first.kind != Kind::kRecord || first.type == kStack || first.type >= kPair) return {};
  if (first.type == kFrame) return extend_stack({}, values, pickle);
  Slice list{static_cast<std::size_t>(first.number), 0};
  extend_list(first.type, list, values, pickle);
  lists_.push_back(list);
  return {Kind::kRecord, static_cast<std::uint8_t>(kList + first.type), static_cast<std::int64_t>(lists_.size() - 1)};
}

Value SnapshotBuilder::build_frame(std::span<const Value> values) {
  Frame frame;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    if (is(values[i], kName)) frame.function = text(values[i + 1]);
    if (is(values[i], kFile)) frame.file = text(values[i + 1]);
    if (is(values[i], kLine)) frame.line = static_cast<std::int32_t>(integer(values[i + 1]));
  }
  return {Kind::kRecord, kFrame, to_.frames.intern(bytes_of(frame))};
}

Value SnapshotBuilder::extend_stack(std::string_view stack, std::span<const Value> values, const Pickle& pickle) {
  scratch_.assign(stack);
  for (const Value value : values) {
    const Value frame = pickle.resolve(value);
    if (frame.kind != Kind::kRecord || frame.type != kFrame)
      throw Refusal("the pickle has a list of frames that also holds something else");
    scratch_ += bytes_of(static_cast<std::uint32_t>(frame.number));
  }
  return {Kind::kRecord, kStack, to_.stacks.intern(scratch_)};
}

void SnapshotBuilder::extend_list(std::uint8_t type, Slice& list, std::span<const Value> values, const Pickle& pickle) {
  for (const Value value : values) {
    const Value record = pickle.resolve(value);
    if (record.kind != Kind::kRecord || record.type != type ||
        static_cast<std::size_t>(record.number) != list.first + list.count)
      throw Refusal(
          "the pickle has a list of events, blocks or segments that names one twice or also holds something else");
    ++list.count;
  }
}

Value SnapshotBuilder::extend(Value record, std::span<const Value> values, const Pickle& pickle) {
  const auto number = static_cast<std::size_t>(record.number);
  if (record.type == kStack)
    return extend_stack(std::string(to_.stacks.at(static_cast<std::uint32_t>(number))), values, pickle);
  if (record.type >= kList) {
    extend_list(static_cast<std::uint8_t>(record.type - kList), lists_[number], values, pickle);
    return record;
  }
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    const Value key = values[i], value = values[i + 1];
    if (record.type == kEvent) set_event(to_.events[number], key, value, pickle);
    if (record.type == kSegment) set_segment(to_.segments[number], key, value, pickle);
    if (record.type == kBlock) set_block(to_.blocks[number], key, value, pickle);
    if (record.type == kMark) set_mark(to_.marks[number], key, value);
  }
  return record;
}

void SnapshotBuilder::set_event(Event& event, Value key, Value value, const Pickle& pickle) {
  set_number(event, kEventFields, key, value);
  if (is(key, kAction)) event.action = action_of(value);
  if (is(key, kStream)) event.stream = to_.streams.intern(bytes_of(integer(value)));
  if (is(key, kFrames)) event.stack = stack_of(pickle.resolve(value));
  if (is(key, kContext)) event.context = pickle.text(value) == "N/A" ? 0 : text(value);
}

void SnapshotBuilder::set_segment(Segment& segment, Value key, Value value, const Pickle& pickle) const {
  const Value resolved = pickle.resolve(value);
  set_number(segment, kSegmentFields, key, value);
  if (is(key, kType)) segment.type = text(value);
  if (is(key, kExpandable)) segment.expandable = integer(value) != 0;
  if (is(key, kFrames)) segment.stack = stack_of(resolved);
  if (is(key, kBlocks) && resolved.kind == Kind::kRecord && resolved.type == kList + kBlock)
    segment.blocks = lists_[static_cast<std::size_t>(resolved.number)];
}

void SnapshotBuilder::set_block(Block& block, Value key, Value value, const Pickle& pickle) {
  set_number(block, kBlockFields, key, value);
  if (is(key, kState)) block.state = state_of(value);
  if (is(key, kFrames)) block.stack = stack_of(pickle.resolve(value));
}

void SnapshotBuilder::set_mark(Mark& mark, Value key, Value value) {
  set_number(mark, kMarkFields, key, value);
  if (is(key, kStage)) mark.begins = is(value, kStart);
  if (is(key, kName)) mark.name = text(value);
}

std::size_t SnapshotBuilder::bytes() const {
  return to_.events.size() * sizeof(Event) + to_.frames.bytes() + to_.stacks.bytes() + to_.streams.bytes() +
         to_.blocks.capacity() * sizeof(Block) + to_.segments.capacity() * sizeof(Segment) +
         to_.marks.capacity() * sizeof(Mark) + lists_.capacity() * sizeof(Slice);
}

void SnapshotBuilder::finish(Value root, const Pickle& pickle) {
  root = pickle.resolve(root);
  const auto members = root.kind == Kind::kDict ? pickle.values(root) : std::span<const Value>();
  const Value segments = member(members, kSegments), traces = pickle.resolve(member(members, kTraces));
  if (segments.kind == Kind::kNone && traces.kind == Kind::kNone)
    throw Refusal(
        "the pickle is not a memory snapshot; expected a dict with 'segments' and 'device_traces', as "
        "torch.cuda.memory._dump_snapshot writes");
  read_traces(traces, pickle);
  read_settings(pickle.resolve(member(members, kSettings)), pickle);
}

void SnapshotBuilder::read_traces(Value list, const Pickle& pickle) {
  if (list.kind != Kind::kList) return;
  for (const Value value : pickle.values(list)) {
    const Value trace = pickle.resolve(value);
    const bool has_events = trace.kind == Kind::kRecord && trace.type == kList + kEvent;
    to_.traces.push_back(has_events ? lists_[static_cast<std::size_t>(trace.number)] : Slice{});
  }
}

void SnapshotBuilder::read_settings(Value dict, const Pickle& pickle) {
  if (dict.kind != Kind::kDict) return;
  const auto members = pickle.values(dict);
  AllocatorSettings& settings = to_.settings;
  settings.expandable = integer(member(members, kExpandableSegments)) != 0;
  if (const Value split = member(members, kMaxSplit); split.kind == Kind::kInteger) settings.max_split = split.number;
  to_.configuration = pickle.text(member(members, kConf));
  const Value parts = pickle.resolve(member(members, kPower2));
  if (parts.kind != Kind::kDict) return;
  const auto sizes = pickle.values(parts);
  for (std::size_t i = 0; i + 1 < sizes.size(); i += 2) {
    const std::string_view size = pickle.text(sizes[i]);
    std::int64_t mebibytes = 0;
    std::from_chars(size.data(), size.data() + size.size(), mebibytes);
    if (mebibytes > 0 && integer(sizes[i + 1]) > 1) settings.power2_parts[mebibytes] = integer(sizes[i + 1]);
  }
}

}  // namespace assay::memory_snapshot
