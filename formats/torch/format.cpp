// Traces of the PyTorch profiler (Kineto).
#include "assay/format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "assay/detail/memory_tables.hpp"
#include "formats/torch/columns.hpp"
#include "formats/torch/derived_tables.hpp"
#include "formats/torch/header.hpp"
#include "formats/torch/pairs.hpp"
#include "formats/torch/parse.hpp"
#include "formats/torch/sniff_trace.hpp"
#include "formats/torch/trace_environment.hpp"

namespace assay::load {
namespace {

/// "63 events of category x, 4 of process 'y'" for unread events, and how many there are.
std::pair<std::string, std::int64_t> unread_events(const ParseOutcome& parsed) {
  constexpr std::size_t kMaxNamed = 3;
  std::map<std::string, std::int64_t> kinds;
  for (const auto& [category, count] : parsed.passed_over) kinds["category " + category] += count;
  for (const auto& [process, count] : parsed.without_category) {
    const auto name = parsed.process_names.find(process);
    kinds[name == parsed.process_names.end() ? "no category" : fmt::format("process '{}'", name->second)] += count;
  }
  std::vector<std::pair<std::int64_t, std::string>> sorted;
  for (const auto& [kind, count] : kinds) sorted.emplace_back(-count, kind);
  std::ranges::sort(sorted);
  std::string text;
  std::int64_t all = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [less, kind] = sorted[i];
    all -= less;
    if (i < kMaxNamed) text += fmt::format("{}{}{} {}", i == 0 ? "" : ", ", -less, i == 0 ? " events of" : " of", kind);
  }
  return {sorted.size() > kMaxNamed ? text + " and others" : text, all};
}

void note_missing(TraceColumns& columns, const ParseOutcome& parsed, TableSink& out) {
  const auto [unread, unread_count] = unread_events(parsed);
  if (!unread.empty()) out.issue("passed_over", Severity::kInfo, unread_count, fmt::format("Not read: {}.", unread));
  const std::int64_t launches = columns.launches();
  const auto& kernels = columns.tables().kernels.start;
  if (!columns.tables().wants.kernels || kernels.size() > 0 || (kernels.present() && launches == 0)) return;
  const std::size_t calls = columns.tables().calls.start.size();
  std::string text;
  if (launches > 0)
    text = fmt::format("No kernels were captured although {} launches were.", launches);
  else if (!unread.empty())
    text = fmt::format("No kernels are read of this trace; device work may be among what is not: {}.", unread);
  else if (calls > 0)
    text = fmt::format("No kernels were captured although the host called the device's runtime (calls: {}).", calls);
  else
    text = "No kernels were captured; the trace is of the host only.";
  out.issue("no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches, text);
}

/// Numbers of the devices that ran something.
std::set<std::int32_t> used_devices(TraceTables& tables) {
  std::set<std::int32_t> used;
  tables.each_work([&](auto& rows, auto&) {
    if (&rows.start == &tables.syncs.start) return;
    for (const std::int32_t device : rows.device.values()) used.insert(used.end(), device);
  });
  return used;
}

/// A trace of the PyTorch profiler has marks that traces of others may have too.
class TorchFormat {
 public:
  static constexpr std::string_view kSummary = "Traces of the PyTorch profiler (Kineto), plain or gzip.";
  static constexpr std::string_view kAgain = "export it again";
  static constexpr std::uint32_t kTraits = kTraitFramework | kTraitAskedLast;
  static constexpr Str kExtensions[] = {".pt.trace.json.gz", ".pt.trace.json", ".json.gz", ".json"},
                       kTelling[] = {".pt.trace.json", ".pt.trace.json.gz"}, kGlobs[] = {"**/*.json", "**/*.json.gz"};
  static constexpr FileNames kNames = {.extensions = kExtensions,
                                       .telling = kTelling,
                                       .raw = {},
                                       .globs = kGlobs,
                                       .one_file = "PyTorch trace",
                                       .expected = "PyTorch traces (.pt.trace.json, .json.gz)"};
  static constexpr RecorderSpec kRecorders[] = {
      {.name = "torch", .command = {}, .ends_options = {}, .numbered_ending = {}, .install = {}}};
  static constexpr FormatPart kReads[] = {
      {"category kernel, mtia_ccp_events", "kernels, collectives by their arguments"},
      {"category gpu_memcpy", "copies"},
      {"category gpu_memset", "sets"},
      {"category cuda_sync, musa_sync", "syncs"},
      {"categories *_runtime, *_driver", "calls"},
      {"category cpu_op, python_function", "ops"},
      {"category user_annotation", "ops, ranges"},
      {"operators record_param_comms", "messages"},
      {"instants \"[memory]\"", "allocations, memory_allocations, memory_stacks"},
      {"category overhead", "overheads"},
      {"deviceProperties, distributedInfo and other members", "devices, properties"}};
  static constexpr FormatPart kPassesOver[] = {
      {"categories gpu_user_annotation, ac2g, fwdbwd, Trace", "shadows and arrows of what is read"},
      {"other categories", "counted by name, with the issue passed_over"}};
  static constexpr ColumnId kFills[] = {col::kernels,
                                        col::kernel_name,
                                        col::kernel_short_name,
                                        col::kernel_context,
                                        col::kernel_correlation,
                                        col::kernel_grid,
                                        col::kernel_block,
                                        col::kernel_registers,
                                        col::kernel_shared_a_block,
                                        col::kernel_graph_node,
                                        col::kernel_blocks_per_sm,
                                        col::kernel_warps_per_sm,
                                        col::kernel_occupancy,
                                        col::kernel_op,
                                        col::copies,
                                        col::copy_bytes,
                                        col::copy_direction,
                                        col::copy_context,
                                        col::copy_correlation,
                                        col::copy_memory_kinds,
                                        col::sets,
                                        col::set_bytes,
                                        col::set_context,
                                        col::set_correlation,
                                        col::set_memory_kind,
                                        col::syncs,
                                        col::sync_record,
                                        col::calls,
                                        col::call_name,
                                        col::call_full_name,
                                        col::call_correlation,
                                        col::call_op,
                                        col::ranges,
                                        col::ops,
                                        col::op_external_id,
                                        col::op_python_ids,
                                        col::op_inputs,
                                        col::op_sequence,
                                        col::op_concrete_inputs,
                                        col::overheads,
                                        col::overhead_name,
                                        col::allocations,
                                        col::collectives,
                                        col::declared,
                                        col::devices,
                                        col::properties};
  static constexpr CaptureSpec kCaptures[] = {
      {"GPU work", "profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])", col::kernels},
      {"shapes of operators, and so FLOPs and MFU", "profile(record_shapes=True)", col::op_inputs},
      {"allocated memory", "profile(profile_memory=True), or torch.cuda.memory._dump_snapshot(FILE)", col::allocations},
      {"counters of kernels",
       "ncu --set full -o NAME PROGRAM; the file joins this profile if it is next to it and has its name",
       col::profiled}};
  static constexpr TableSpec kTables[] = {kMessageTable, kCapturedLaunchTable, kGeneratedLaunchTable,
                                          memory_tables::kAllocationTable, memory_tables::kStackTable};

  static bool sniff(const FormatFile& file) { return is_trace(file.path.view(), file.head.view()); }
  static void identify(const FormatFile& file, IdentitySink& out) {
    for (const auto& [name, value] : trace_environment(file.path.view())) out.add(name, value);
  }
  static void explain(const FormatFile& file, ExplanationSink& out);
  static void load(const FormatRequest& request, Tables& out);
  static void derive(const Report& report, Tables& out) {
    derive_allocation_intervals(report, out);
    derive_captured_launches(report, out);
  }
};

void TorchFormat::explain(const FormatFile& file, ExplanationSink& out) {
  const std::filesystem::path path = file.path.view();
  if (is_chrome_trace(path, file.head.view()))
    return out.explain("This is a trace (traceEvents) that the PyTorch profiler did not write, which is not read",
                       "record the program with the PyTorch profiler or 'nsys profile', or add a format that reads it "
                       "(docs/formats.md).",
                       false);
  std::string name = path.filename().native();
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name.ends_with(".pt.trace.json") || name.ends_with(".pt.trace.json.gz"))
    out.explain("This file is named like a PyTorch trace but has no traceEvents near its beginning",
                "export the trace again.", false);
}

/// Refuses with one sentence if the file cannot be read, is not JSON, or contains no event of the PyTorch profiler.
/// Damage further on becomes an issue, and what was read before it is kept.
void TorchFormat::load(const FormatRequest& request, Tables& tables) {
  TableSink& out = tables.sink();
  const auto refuse = [&](const std::string& why, const std::string& remedy) {
    out.advise(remedy);
    throw std::runtime_error(why);
  };
  Result<TraceText> text = TraceText::open(request.path.view(), request.threads);
  if (!text) refuse(text.error().sentence, text.error().remedy);
  TraceColumns columns(out);
  TraceHeader header(out);
  PairedEvents events(columns);
  const auto to_header = [&](std::string_view key, std::string_view value) { header.read_field(key, value); };
  ParseOutcome parsed = parse_trace(*text, events, to_header, request.threads);
  if (parsed.refusal.empty() && !parsed.has_events) parsed.refusal = "holds no traceEvents";
  if (parsed.refusal.empty() && columns.read() == 0)
    parsed.refusal = parsed.first_issue.empty()
                         ? "holds no event of the PyTorch profiler"
                         : "holds no complete event of the PyTorch profiler: " + parsed.first_issue;
  if (!parsed.refusal.empty()) refuse("it " + parsed.refusal, "export the trace of the PyTorch profiler again");
  for (const Issue& issue : parsed.issues) out.issue(issue.name, issue.severity, issue.count, issue.text);
  events.add_issues(out);
  columns.add_issues();
  place_work(columns.hosts(), columns.tables());
  columns.finish();
  header.add_devices(used_devices(columns.tables()));
  out.set_epoch(header.base());
  out.set_origin(columns.origin());
  note_missing(columns, parsed, out);
}

}  // namespace
}  // namespace assay::load

ASSAY_FORMAT("torch", "1.0.0", assay::load::TorchFormat);
