// Samples of CPU threads with their stacks.
#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "assay/detail/stack_tables.hpp"
#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

/// Rows of the two tables of samples.
struct SampleCells {
  OwnedColumn<std::int64_t> id, time, cycles;
  OwnedColumn<std::uint32_t> thread;
};
struct FrameCells {
  OwnedColumn<std::int64_t> sample;
  OwnedColumn<std::int32_t> depth;
  OwnedColumn<StringKey> symbol, module;
};

SampleCells read_sample_cells(const Source& source, const TableInfo& events, std::vector<Issue>& issues) {
  SampleCells samples;
  TableLoad of_events(source, events);
  of_events.integers(samples.id, "id", kNoValue);
  of_events.integers(samples.time, "start", kNoValue);
  of_events.made(samples.thread, "globalTid", [&](std::int64_t id) { return known_thread(source, id); });
  of_events.integers(samples.cycles, "cpuCycles", 1);
  of_events.run(issues);
  return samples;
}

FrameCells read_frame_cells(const Source& source, const TableInfo& chains, std::vector<Issue>& issues) {
  FrameCells frames;
  TableLoad of_chains(source, chains);
  of_chains.integers(frames.sample, "id", kNoValue);
  of_chains.integers(frames.depth, "stackDepth");
  of_chains.string_keys(frames.symbol, "symbol");
  of_chains.string_keys(frames.module, "module");
  of_chains.run(issues);
  return frames;
}

/// Rows of frames by both keys.
using FrameRows = std::unordered_map<std::uint64_t, std::int64_t>;
/// Ids of samples, ascending, and rows of their stacks.
using SampleStacks = std::vector<std::pair<std::int64_t, std::int64_t>>;

SampleStacks add_stacks(const FrameCells& frames, FrameRows& rows, stack_tables::StackTree& tree) {
  const auto& of = frames.sample.values();
  const auto before = [&](std::uint32_t x, std::uint32_t y) {
    return of[x] != of[y] ? of[x] < of[y] : frames.depth[x] < frames.depth[y];
  };
  std::vector<std::uint32_t> order;  // empty: as in the file
  std::uint32_t sorted = 1;
  while (sorted < of.size() && !before(sorted, sorted - 1)) ++sorted;
  if (sorted < of.size()) {
    order.resize(of.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, before);
  }
  const auto row_at = [&](std::size_t at) { return order.empty() ? at : order[at]; };
  SampleStacks out;
  for (std::size_t begin = 0, end = 0; begin < of.size(); begin = end) {
    const std::int64_t sample = of[row_at(begin)];
    while (end < of.size() && of[row_at(end)] == sample) ++end;
    std::int64_t stack = kNone;
    for (std::size_t at = end; at-- > begin;) {  // outermost first
      const std::size_t r = row_at(at);
      const std::uint64_t key = std::uint64_t{frames.symbol[r]} << 32U | frames.module[r];
      stack = tree.below(stack, rows.try_emplace(key, static_cast<std::int64_t>(rows.size())).first->second);
    }
    out.emplace_back(sample, stack);
  }
  return out;
}

/// The samples in the order of time, those of one time in that of the file.
void add_samples(const SampleCells& samples, const std::vector<std::int64_t>& stack_of, TableSink& out) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < samples.time.size(); ++s) {
    if (is_time(samples.time[s])) order.push_back(s);
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t s) { return samples.time[s]; });
  auto rows = Tables(out).declared(stack_tables::kSamples.view(), order.size());
  const auto fill = [&](std::string_view column, auto&& value) {
    std::ranges::transform(order, rows.integers(column).begin(), value);
  };
  fill("time", [&](std::uint32_t s) { return samples.time[s]; });
  fill("thread", [&](std::uint32_t s) {
    return samples.thread[s] == kUnknown ? std::int64_t{kNone} : std::int64_t{samples.thread[s]};
  });
  fill("stack", [&](std::uint32_t s) { return stack_of[s]; });
  fill("weight", [&](std::uint32_t s) { return samples.cycles.present() ? samples.cycles[s] : 1; });
}

}  // namespace

std::uint32_t known_thread(const Source& source, std::int64_t global_tid) {
  return global_tid == kNoValue ? kUnknown : source.shared.threads.find_thread(global_tid).value_or(kUnknown);
}

void read_samples(NsysTables& to) {
  const Schema& schema = to.source.schema;
  const TableInfo *events = schema.find("COMPOSITE_EVENTS"), *chains = schema.find("SAMPLING_CALLCHAINS");
  if (!to.source.wanted.table(col::declared) || events == nullptr || chains == nullptr) return;
  if (!has_columns(*events, {"id", "start", "globalTid"}, to.issues)) return;
  if (!has_columns(*chains, {"id", "symbol", "module", "stackDepth"}, to.issues)) return;
  const SampleCells samples = read_sample_cells(to.source, *events, to.issues);
  const FrameCells frames = read_frame_cells(to.source, *chains, to.issues);
  FrameRows rows;
  stack_tables::StackTree tree;
  const SampleStacks stacks_by_sample = add_stacks(frames, rows, tree);
  std::vector<std::int64_t> stack_of(samples.id.size(), kNone);
  for (std::size_t s = 0; s < stack_of.size(); ++s) {
    const auto known = std::ranges::lower_bound(stacks_by_sample, samples.id[s], {}, &SampleStacks::value_type::first);
    if (known != stacks_by_sample.end() && known->first == samples.id[s]) stack_of[s] = known->second;
  }
  add_samples(samples, stack_of, to.out);
  auto stacks = Tables(to.out).declared(stack_tables::kStacks.view(), tree.nodes().size());
  std::ranges::transform(tree.nodes(), stacks.integers("parent").begin(), &stack_tables::StackTree::Node::parent);
  std::ranges::transform(tree.nodes(), stacks.integers("frame").begin(), &stack_tables::StackTree::Node::frame);
  auto& named = to.frames.emplace(rows.size());
  for (const auto& [key, row] : rows)
    named[static_cast<std::size_t>(row)] = {static_cast<StringKey>(key >> 32U), static_cast<StringKey>(key)};
}

}  // namespace assay::load
