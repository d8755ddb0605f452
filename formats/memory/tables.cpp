#include "tables.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "peaks.hpp"

namespace assay::memory_snapshot {
namespace {

/// Rows of memory_stacks: stacks with the same outer callers share rows.
class StackRows {
 public:
  explicit StackRows(const Snapshot& snapshot) {
    rows_.push_back(kNone);  // stack 0 has no frame
    for (std::uint32_t number = 1; number < snapshot.stacks.size(); ++number) {
      Node node;
      const auto frames = snapshot.stack(number);
      for (std::size_t f = frames.size(); f-- > 0;) {
        node.frame = frames[f];
        node.parent = nodes_.intern({reinterpret_cast<const char*>(&node), sizeof(node)});
      }
      rows_.push_back(static_cast<std::int64_t>(node.parent) - 1);
    }
  }

  /// Row of the innermost frame of a stack; kNone: no frames.
  [[nodiscard]] std::int64_t row(std::size_t stack) const { return rows_[stack]; }

  void fill(const Snapshot& snapshot, std::span<const StringId> texts, Tables& to) const {
    auto rows = to.declared(kStacks, nodes_.size() - 1);
    const auto parent = rows.integers("parent"), line = rows.integers("line");
    const auto function = rows.texts("function"), file = rows.texts("file");
    for (std::uint32_t n = 1; n < nodes_.size(); ++n) {
      Node node;
      std::memcpy(&node, nodes_.at(n).data(), sizeof(node));
      const Frame frame = snapshot.frame(node.frame);
      parent[n - 1] = static_cast<std::int64_t>(node.parent) - 1;
      function[n - 1] = texts[frame.function];
      file[n - 1] = texts[frame.file];
      line[n - 1] = frame.line;
    }
  }

 private:
  struct Node {
    std::uint32_t parent = 0;  // node number; 0: outermost
    std::uint32_t frame = 0;
  };
  Interner nodes_;
  std::vector<std::int64_t> rows_;
};

/// "24.6 MB linear.py:134 forward".
std::string label(std::int64_t bytes, const Snapshot& snapshot, std::uint32_t stack) {
  std::array<char, 32> size{};
  std::snprintf(size.data(), size.size(), "%.1f MB", static_cast<double>(bytes) / 1e6);
  const auto frames = snapshot.stack(stack);
  if (frames.empty()) return size.data();
  const Frame frame = snapshot.frame(frames.front());
  const std::string_view file = snapshot.text(frame.file);
  return std::string(size.data()) + " " + std::string(file.substr(file.find_last_of('/') + 1)) + ":" +
         std::to_string(frame.line) + " " + std::string(snapshot.text(frame.function));
}

void fill_peaks(const AllocationColumns& allocations, const ChangeColumns& changes, const Snapshot& snapshot,
                Tables& to) {
  constexpr std::size_t kMax = 60;  // fewer than a timeline has tracks
  const std::vector<std::size_t> largest = rows_at_peaks(allocations, changes, kMax);
  auto rows = to.declared(kPeaks, largest.size());
  const auto begin = rows.integers("begin"), end = rows.integers("end"), device = rows.integers("device");
  const auto size = rows.integers("size"), allocation = rows.integers("allocation");
  const auto name = rows.texts("name");
  for (std::size_t r = 0; r < largest.size(); ++r) {
    const std::size_t a = largest[r];
    begin[r] = allocations.begin[a];
    end[r] = allocations.end[a];
    device[r] = allocations.device[a];
    size[r] = allocations.size[a];
    allocation[r] = static_cast<std::int64_t>(a);
    name[r] = to.intern(label(size[r], snapshot, static_cast<std::uint32_t>(allocations.stack[a])));
  }
}

void fill_history(Snapshot& snapshot, History& history, const StackRows& stacks, std::span<const StringId> texts,
                  Tables& to) {
  auto changed = to.rows<AllocationTable>(col::allocations, history.change_rows());
  auto rows = to.declared(kAllocations, history.allocation_rows());
  const AllocationColumns columns{rows.integers("begin"),        rows.integers("end"),       rows.integers("address"),
                                  rows.integers("size"),         rows.integers("requested"), rows.integers("stream"),
                                  rows.integers("device"),       rows.integers("stack"),     rows.texts("context"),
                                  rows.integers("allocated_by"), rows.integers("freed_by")};
  const ChangeColumns changes{changed[&AllocationTable::time], changed[&AllocationTable::device],
                              changed[&AllocationTable::bytes], changed[&AllocationTable::allocated],
                              changed[&AllocationTable::reserved]};
  history.write(columns, changes);
  snapshot.events = {};  // most of the memory used for reading
  fill_peaks(columns, changes, snapshot, to);
  for (std::int64_t& stack : columns.stack) stack = stacks.row(static_cast<std::size_t>(stack));
  for (StringId& context : columns.context) context = texts[context];
}

void fill_segments(const Snapshot& snapshot, const StackRows& stacks, std::span<const StringId> texts, Tables& to) {
  auto rows = to.declared(kSegments, snapshot.segments.size());
  std::size_t blocks = 0;
  const auto fill = [&](std::string_view column, auto&& value) {
    std::ranges::transform(snapshot.segments, rows.integers(column).begin(), value);
  };
  fill("address", [](const Segment& s) { return s.address; });
  fill("size", [](const Segment& s) { return s.size; });
  fill("device", [](const Segment& s) { return s.device; });
  fill("stream", [](const Segment& s) { return s.stream; });
  fill("expandable", [](const Segment& s) { return std::int64_t{s.expandable}; });
  fill("stack", [&](const Segment& s) {
    blocks += s.blocks.count;
    return stacks.row(s.stack);
  });
  std::ranges::transform(snapshot.segments, rows.texts("type").begin(),
                         [&](const Segment& s) { return texts[s.type]; });
  auto parts = to.declared(kBlocks, blocks);
  const auto segment = parts.integers("segment"), address = parts.integers("address"), size = parts.integers("size");
  const auto requested = parts.integers("requested"), stack = parts.integers("stack");
  const auto state = parts.texts("state");
  const StringId states[] = {to.intern("inactive"), to.intern("allocated"), to.intern("awaiting_free")};
  std::size_t row = 0;
  for (std::size_t s = 0; s < snapshot.segments.size(); ++s) {
    const Slice& of = snapshot.segments[s].blocks;
    for (std::size_t b = of.first; b < of.first + of.count; ++b, ++row) {
      const Block& block = snapshot.blocks[b];
      segment[row] = static_cast<std::int64_t>(s);
      address[row] = block.address;
      size[row] = block.size;
      requested[row] = block.requested;
      stack[row] = stacks.row(block.stack);
      state[row] = states[static_cast<std::size_t>(block.state)];
    }
  }
}

struct Range {
  std::int64_t begin = 0, end = 0, device = 0;
  std::uint32_t name = 0;
};

/// Begin and end marks as ranges: an end belongs to the last begin with its name and device.
std::vector<Range> ranges_of(const Snapshot& snapshot, const History& history) {
  std::vector<Range> ranges;
  std::vector<std::size_t> open;
  for (const Mark& mark : snapshot.marks) {
    const std::int64_t time = history.ns(mark.time);
    const auto begun = std::find_if(open.rbegin(), open.rend(), [&](std::size_t r) {
      return ranges[r].name == mark.name && ranges[r].device == mark.device;
    });
    if (mark.begins) {
      open.push_back(ranges.size());
      ranges.push_back({time, history.end(), mark.device, mark.name});
    } else if (begun == open.rend()) {
      ranges.push_back({0, time, mark.device, mark.name});
    } else {
      ranges[*begun].end = std::max(time, ranges[*begun].begin);
      open.erase(std::next(begun).base());
    }
  }
  std::ranges::stable_sort(ranges, {}, &Range::begin);
  return ranges;
}

void fill_annotations(const std::vector<Range>& ranges, std::span<const StringId> texts, Tables& to) {
  auto rows = to.declared(kAnnotations, ranges.size());
  std::ranges::transform(ranges, rows.integers("begin").begin(), &Range::begin);
  std::ranges::transform(ranges, rows.integers("end").begin(), &Range::end);
  std::ranges::transform(ranges, rows.integers("device").begin(), &Range::device);
  std::ranges::transform(ranges, rows.texts("name").begin(), [&](const Range& r) { return texts[r.name]; });
}

void fill_failures(const History& history, const StackRows& stacks, Tables& to) {
  const std::vector<Failure> failures = history.failures();
  auto rows = to.declared(kFailures, failures.size());
  const auto time = rows.integers("time"), device = rows.integers("device"), requested = rows.integers("requested");
  const auto free = rows.integers("free"), stack = rows.integers("stack");
  const auto outcome = rows.texts("outcome");
  const StringId retried = to.intern("retried"), failed = to.intern("failed");
  for (std::size_t f = 0; f < failures.size(); ++f) {
    const Failure& of = failures[f];
    time[f] = history.ns(of.time);
    device[f] = of.device;
    requested[f] = of.requested;
    free[f] = of.free;
    stack[f] = stacks.row(of.stack);
    outcome[f] = of.retried ? retried : failed;
  }
}

/// Segments that are smaller than the blocks in them.
std::int64_t overfull_segments(const Snapshot& snapshot) {
  return std::ranges::count_if(snapshot.segments, [&](const Segment& segment) {
    std::int64_t bytes = 0;
    for (std::size_t b = segment.blocks.first; b < segment.blocks.first + segment.blocks.count; ++b)
      bytes += snapshot.blocks[b].size;
    return bytes > segment.size;
  });
}

void report_doubts(const Snapshot& snapshot, const HistoryDoubts& doubts, TableSink& to) {
  const auto report = [&](const char* code, std::int64_t count, const std::string& text,
                          Severity severity = Severity::kWarning) {
    if (count > 0) to.issue(code, severity, count, std::to_string(count) + text);
  };
  report("unread_events", doubts.unread,
         " events have no readable kind, address or size, so how much was in use after them is not known; take the "
         "snapshot again.",
         Severity::kError);
  report("unread_parts", snapshot.left_out,
         " segments, blocks and annotations have numbers that cannot be and are left out; take the snapshot again.",
         Severity::kError);
  report("segment_sizes", overfull_segments(snapshot),
         " segments are smaller than the blocks in them, so how much was reserved is not known; take the snapshot "
         "again.",
         Severity::kError);
  report("no_start", snapshot.without_time,
         " events have no time; they count at the time of the event before them, so their order is known, but not when "
         "they were.",
         Severity::kError);
  report("impossible_times", snapshot.out_of_order,
         " events have a time that does not fit between those around them; they count at the time of the event before "
         "them.",
         Severity::kError);
  if (doubts.unknown_actions > 0) to.passed_over("kind", "events of other kinds", doubts.unknown_actions);
  report("unknown_sizes", doubts.unknown_sizes,
         " blocks from before the history may be up to 1 MiB larger than is counted.");
  report("unexplained_blocks", doubts.unexplained,
         " addresses are in use at the end by the history or by the allocator's own list of blocks, but not by both.");
  report("allocated_twice", doubts.allocated_twice,
         " allocations are at an address that was in use; the free in between is missing.");
}

}  // namespace

void fill_tables(Snapshot& snapshot, Tables& to) {
  std::vector<Str> views;
  for (std::uint32_t t = 0; t < snapshot.texts.size(); ++t) views.emplace_back(snapshot.text(t));
  std::vector<StringId> texts(views.size());
  to.sink().intern_all(views, texts.data());
  History history(snapshot);
  const StackRows stacks(snapshot);
  fill_history(snapshot, history, stacks, texts, to);
  stacks.fill(snapshot, texts, to);
  fill_segments(snapshot, stacks, texts, to);
  fill_annotations(ranges_of(snapshot, history), texts, to);
  fill_failures(history, stacks, to);
  report_doubts(snapshot, history.doubts(), to.sink());
  to.sink().add_property("origin_ns", std::to_string(history.origin() * 1000));
  if (!snapshot.configuration.empty()) to.sink().add_property("PYTORCH_CUDA_ALLOC_CONF", snapshot.configuration);
}

}  // namespace assay::memory_snapshot
