// Samples of CPU threads as text: of `perf script`, and collapsed stacks.
#include "assay/format.hpp"

#include <numeric>

#include "sample_lines.hpp"
#include "stack_text.hpp"

namespace assay::perf_script {

class PerfScriptFormat {
 public:
  static constexpr std::string_view kSummary =
      "Samples of CPU threads with their stacks: text of perf script, and collapsed stacks (py-spy, FlameGraph).";
  static constexpr std::uint32_t kTraits = kTraitBeside;
  static constexpr Str kExtensions[] = {".perf", ".collapsed", ".folded", ".txt"};
  static constexpr Str kTelling[] = {".perf", ".collapsed", ".folded", ".linux-perf.txt", ".collapsed.txt"};
  static constexpr Str kGlobs[] = {"**/*.perf", "**/*.collapsed", "**/*.folded"};
  static constexpr FileNames kNames = {.extensions = kExtensions,
                                       .telling = kTelling,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "text of perf script",
                                       .expected = "samples of perf script, or collapsed stacks"};
  static constexpr FormatPart kReads[] = {{"samples with stacks", "samples, stacks, frames"},
                                          {"collapsed stacks", "samples without times, stacks, frames"}};
  static constexpr FormatPart kPassesOver[] = {{"lines of source and other events", "counted as damaged lines"}};
  static constexpr ColumnId kFills[] = {col::properties};
  static constexpr TableSpec kTables[] = {stack_tables::kSampleTable, stack_tables::kStackTable,
                                          stack_tables::kFrameTable};
  static constexpr std::string_view kAgain = "write it again with 'perf script --ns'";

  static bool sniff(const FormatFile& file) {
    std::string_view head = file.head;
    if (head.starts_with("# ========\n# captured on")) return true;
    bool stacks = false;
    while (head.find('\n') != std::string_view::npos || !head.empty()) {
      const bool whole = head.find('\n') != std::string_view::npos;
      const std::string_view line = next_line(head);
      if (is_comment(line)) continue;
      if (sample_line(line)) return frame_line(next_line(head)).has_value();
      if (!whole && file.head.view().size() >= kHead) break;  // cut off
      if (!collapsed_line(line)) return stacks;
      stacks = stacks || line.find(';') != std::string_view::npos;
    }
    return stacks;
  }

  static void identify(const FormatFile& /*file*/, IdentitySink& out) { out.add("profiler", "perf"); }

  static void load(const FormatRequest& file, Tables& out) {
    StackText text(std::string(file.path.view()));
    std::ranges::stable_sort(text.samples, {}, &Sample::time);
    add_threads(text, out);
    constexpr std::int64_t kEpoch = 1'000'000'000'000'000'000;  // later is a date, earlier the time since the start
    if (text.timed && text.samples.front().time >= kEpoch) out.sink().set_origin(text.samples.front().time);
    if (text.timed && text.samples.front().time >= kEpoch)
      out.sink().add_property("origin_ns", std::to_string(text.samples.front().time));
    if (text.damaged > 0)
      out.sink().issue("damaged_entries", Severity::kWarning, text.damaged,
                       std::to_string(text.damaged) + " lines of this text are no stack and are left out.");
    auto samples = out.declared(stack_tables::kSamples, text.samples.size());
    if (text.timed) std::ranges::transform(text.samples, samples.integers("time").begin(), &Sample::time);
    std::ranges::transform(text.samples, samples.integers("thread").begin(), &Sample::thread);
    std::ranges::transform(text.samples, samples.integers("stack").begin(), &Sample::stack);
    std::ranges::transform(text.samples, samples.integers("weight").begin(), &Sample::weight);
    const std::vector<stack_tables::StackTree::Node>& nodes = text.stacks.nodes();
    auto stacks = out.declared(stack_tables::kStacks, nodes.size());
    std::ranges::transform(nodes, stacks.integers("parent").begin(), &stack_tables::StackTree::Node::parent);
    std::ranges::transform(nodes, stacks.integers("frame").begin(), &stack_tables::StackTree::Node::frame);
    auto frames = out.declared(stack_tables::kFrames, text.frames.size());
    const auto intern = [&](std::string FrameRow::* member) {
      return [&out, member](const FrameRow& row) { return out.intern(row.*member); };
    };
    std::ranges::transform(text.frames, frames.texts("function").begin(), intern(&FrameRow::function));
    std::ranges::transform(text.frames, frames.texts("file").begin(), intern(&FrameRow::file));
    std::ranges::transform(text.frames, frames.integers("line").begin(), &FrameRow::line);
  }

 private:
  static constexpr std::size_t kHead = 512;

  static void add_threads(const StackText& text, Tables& out) {
    std::map<std::int64_t, std::uint32_t> processes;
    for (const SampledThread& thread : text.threads) {
      const auto [process, fresh] = processes.try_emplace(thread.process, 0);
      if (fresh) process->second = out.sink().add_process(thread.process < 0 ? kNone : thread.process);
      out.sink().add_thread(process->second, thread.thread < 0 ? kNone : thread.thread, thread.command);
    }
  }
};

ASSAY_FORMAT("perf_script", "1.0.0", PerfScriptFormat);

}  // namespace assay::perf_script
