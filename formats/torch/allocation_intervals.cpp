#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "assay/detail/memory_tables.hpp"
#include "formats/torch/derived_tables.hpp"

namespace assay::load {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 50U;  // of an allocation

struct Interval {
  std::int64_t begin = 0, end = 0, address = kNoCell, size = 0, device = 0, stack = kNone;
  std::int64_t allocated_by = kNone, freed_by = kNone;
};

struct Frame {
  std::int64_t parent = kNone;
  StringId function = 0, file = 0;
  std::int64_t line = kNoCell;
  friend auto operator<=>(const Frame&, const Frame&) = default;
};

/// "<built-in method cat of type object at 0x7d6b7761df60>" without the address, which differs between runs.
std::string without_addresses(std::string_view name) {
  constexpr std::string_view kAt = " at 0x";
  std::string text;
  for (std::size_t at; (at = name.find(kAt)) != std::string_view::npos;) {
    text += name.substr(0, at);
    const std::size_t end = name.find_first_not_of("0123456789abcdefABCDEF", at + kAt.size());
    name = end == std::string_view::npos ? std::string_view() : name.substr(end);
  }
  return text + std::string(name);
}

/// "epoch 3" as "epoch {i}": steps of one kind are one frame, so that stacks of different steps can be equal.
std::string without_number(std::string_view name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const bool numbered =
      digits > 0 && digits < name.size() && std::string_view("#_ -/:").find(name[digits - 1]) != std::string_view::npos;
  return numbered ? std::string(name.substr(0, digits)) + "{i}" : std::string(name);
}

/// The stacks of a trace: open operators per thread at a time, as a tree of frames.
class OpStacks {
 public:
  OpStacks(const OpTable& ops, TableSink& sink) : ops_(ops), sink_(sink) {}

  /// Row of the innermost frame. Times must ascend from call to call.
  std::int64_t at(std::int64_t time, std::uint32_t thread) {
    for (; next_ < ops_.rows && ops_.start[next_] <= time; ++next_) last_[ops_.thread[next_]] = static_cast<Row>(next_);
    const auto last = last_.find(thread);
    Row op = last == last_.end() ? Row{kNone} : last->second;
    while (op != kNone && ops_.end[static_cast<std::size_t>(op)] < time) op = parent(op);
    return row_of(op);
  }
  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }

 private:
  [[nodiscard]] Row parent(Row op) const { return ops_.parent[static_cast<std::size_t>(op)]; }

  std::int64_t row_of(Row op) {
    std::vector<Row> open;
    for (; op != kNone && !known_.contains(op); op = parent(op)) open.push_back(op);
    std::int64_t row = op == kNone ? std::int64_t{kNone} : known_[op];
    for (; !open.empty(); open.pop_back()) known_[open.back()] = row = add(open.back(), row);
    return row;
  }

  std::int64_t add(Row op, std::int64_t parent) {
    const auto row = static_cast<std::size_t>(op);
    const std::string name(sink_.text(ops_.name[row]).view());
    Frame frame{.parent = parent};
    if (ops_.kind[row] == OpKind::kAnnotation) {
      if (name.starts_with("ProfilerStep#")) return parent;
      frame.function = sink_.intern(without_number(name));
      frame.file = sink_.intern(memory_tables::kAnnotationFile);
    } else if (ops_.kind[row] == OpKind::kOperator || !read_function(name, frame)) {
      frame.function = sink_.intern(without_addresses(name));
    }
    const auto [at, is_new] = rows_.try_emplace(frame, static_cast<std::int64_t>(frames_.size()));
    if (is_new) frames_.push_back(frame);
    return at->second;
  }

  /// "train.py(12): forward".
  bool read_function(std::string_view name, Frame& frame) {
    const std::size_t end = name.find("): "), begin = end == std::string_view::npos ? end : name.rfind('(', end);
    if (begin == std::string_view::npos) return false;
    std::int64_t line = 0;
    const auto [last, problem] = std::from_chars(name.data() + begin + 1, name.data() + end, line);
    if (problem != std::errc() || last != name.data() + end) return false;
    frame.file = sink_.intern(name.substr(0, begin));
    frame.function = sink_.intern(name.substr(end + 3));
    frame.line = line;
    return true;
  }

  const OpTable& ops_;
  TableSink& sink_;
  std::size_t next_ = 0;
  std::unordered_map<std::uint32_t, Row> last_;  // latest op to begin, by thread
  std::unordered_map<Row, std::int64_t> known_;  // op to row of its frame
  std::map<Frame, std::int64_t> rows_;
  std::vector<Frame> frames_;
};

/// Pairs allocations and frees by address.
class IntervalBuilder {
 public:
  IntervalBuilder(const AllocationTable& rows, std::span<const std::int64_t> addresses)
      : rows_(rows),
        addresses_(addresses),
        first_(std::min<std::int64_t>(rows.time[0], 0)),
        last_(std::max(rows.time[rows.rows - 1], first_)) {}

  void build(OpStacks* stacks) {
    for (std::size_t r = 0; r < rows_.rows; ++r) {
      const std::int64_t bytes = rows_.bytes[r], total = rows_.allocated[r];
      const bool possible = bytes != 0 && bytes >= -kMaxBytes && bytes <= kMaxBytes;
      if (rows_.device[r] == kNone || addresses_[r] == kNoCell || !possible) continue;
      before_.try_emplace(rows_.device[r], total == kNone ? 0 : total - bytes);
      const auto live = live_.find({rows_.device[r], addresses_[r]});
      if (live != live_.end())
        end(live, r);
      else if (bytes < 0)
        add_freed(r);
      if (bytes > 0) begin(r, stacks == nullptr ? std::int64_t{kNone} : stacks->at(rows_.time[r], rows_.thread[r]));
    }
    for (const auto& [device, bytes] : before_) {
      if (bytes > 0) intervals.push_back({.begin = first_, .end = last_, .size = bytes, .device = device});
    }
    std::ranges::stable_sort(intervals, {}, &Interval::begin);
  }

  std::vector<Interval> intervals;
  std::int64_t allocated_twice = 0;

 private:
  using Live = std::map<std::pair<std::int32_t, std::int64_t>, std::size_t>;  // place in `intervals`

  void begin(std::size_t row, std::int64_t stack) {
    live_[{rows_.device[row], addresses_[row]}] = intervals.size();
    intervals.push_back({rows_.time[row], last_, addresses_[row], rows_.bytes[row], rows_.device[row], stack,
                         static_cast<std::int64_t>(row), kNone});
  }
  void end(Live::iterator live, std::size_t row) {
    Interval& interval = intervals[live->second];
    interval.end = rows_.time[row];
    interval.freed_by = static_cast<std::int64_t>(row);
    allocated_twice += rows_.bytes[row] > 0 ? 1 : 0;
    live_.erase(live);
  }
  /// A free of memory allocated before the trace.
  void add_freed(std::size_t row) {
    std::int64_t& before = before_[rows_.device[row]];
    before = std::max(before + rows_.bytes[row], -kMaxBytes);
    intervals.push_back({first_, rows_.time[row], addresses_[row], -rows_.bytes[row], rows_.device[row], kNone, kNone,
                         static_cast<std::int64_t>(row)});
  }

  const AllocationTable& rows_;
  std::span<const std::int64_t> addresses_;
  std::int64_t first_, last_;
  Live live_;
  std::map<std::int32_t, std::int64_t> before_;  // bytes by device, without those freed later
};

}  // namespace

void derive_allocation_intervals(const Report& report, Tables& out) {
  if (report.allocations == nullptr || report.allocations->rows == 0) return;
  const auto addresses = out.links<std::int64_t>(col::allocations, LinkColumn::kAddress, report.allocations->rows);
  if (std::ranges::all_of(addresses, [](std::int64_t address) { return address == kNoCell; })) return;
  std::optional<OpStacks> stacks;
  if (report.ops != nullptr) stacks.emplace(*report.ops, out.sink());
  IntervalBuilder builder(*report.allocations, addresses);
  builder.build(stacks ? &*stacks : nullptr);
  const std::vector<Interval>& intervals = builder.intervals;
  DeclaredRows to = out.declared(memory_tables::kAllocations.view(), intervals.size());
  const auto fill = [](auto& rows, std::string_view name, const auto& from, auto member) {
    std::ranges::transform(from, rows.integers(name).begin(), member);
  };
  fill(to, "begin", intervals, &Interval::begin);
  fill(to, "end", intervals, &Interval::end);
  fill(to, "address", intervals, &Interval::address);
  fill(to, "size", intervals, &Interval::size);
  fill(to, "device", intervals, &Interval::device);
  fill(to, "stack", intervals, &Interval::stack);
  fill(to, "allocated_by", intervals, &Interval::allocated_by);
  fill(to, "freed_by", intervals, &Interval::freed_by);
  for (const char* unknown : {"requested", "stream"}) std::ranges::fill(to.integers(unknown), kNoCell);
  std::ranges::fill(to.texts("context"), StringId{0});
  const std::vector<Frame> frames = stacks ? stacks->frames() : std::vector<Frame>();
  DeclaredRows tree = out.declared(memory_tables::kStacks.view(), frames.size());
  fill(tree, "parent", frames, &Frame::parent);
  fill(tree, "line", frames, &Frame::line);
  std::ranges::transform(frames, tree.texts("function").begin(), &Frame::function);
  std::ranges::transform(frames, tree.texts("file").begin(), &Frame::file);
  if (builder.allocated_twice > 0)
    out.sink().issue("allocated_twice", Severity::kWarning, builder.allocated_twice,
                     fmt::format("{} allocations are at an address that was in use; the free in between is missing.",
                                 builder.allocated_twice));
}

}  // namespace assay::load
