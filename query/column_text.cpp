#include "query/column_text.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "load/columns.hpp"
#include "load/format.hpp"

namespace assay::query {
namespace {

/// Replaced by the formats that fill the column.
constexpr std::string_view kFormats = "formats";
constexpr std::string_view kAssay = "assay", kRun = "assay run", kAnalyzer = "analyzers", kConclude = "conclusions";

struct DescribedColumn {
  std::string_view table;   ///< empty: every table without an entry of its own
  std::string_view column;  ///< empty: what fills the table, unless the entry of a column says otherwise
  struct Text {
    std::string_view unit, meaning, filled_by;
  } text;
};

constexpr DescribedColumn kColumns[] = {
    // What fills the tables of the report model.
    {"kernels", "", {"", "", kFormats}},
    {"graphs", "", {"", "", kFormats}},
    {"copies", "", {"", "", kFormats}},
    {"sets", "", {"", "", kFormats}},
    {"calls", "", {"", "", kFormats}},
    {"ranges", "", {"", "", kFormats}},
    {"spans", "", {"", "", kFormats}},
    {"syncs", "", {"", "", kFormats}},
    {"overheads", "", {"", "", kFormats}},
    {"causes", "", {"", "", kFormats}},
    {"ops", "", {"", "", kFormats}},
    {"allocations", "", {"", "", kFormats}},
    {"iterations", "", {"", "", "--iterations, --config"}},
    {"steps", "", {"", "", "ranges, spans, calls, kernels, graphs, copies, sets, overheads"}},
    {"account", "", {"", "", "steps, kernels, graphs, copies, sets, calls, ranges, overheads, causes"}},
    {"collectives", "", {"", "", kFormats}},
    {"devices", "", {"", "", kFormats}},
    {"profiled", "", {"", "", kFormats}},
    {"counters", "", {"", "", kFormats}},
    {"os_calls", "", {"", "", kFormats}},
    {"mpi_events", "", {"", "", kFormats}},
    {"openacc_events", "", {"", "", kFormats}},
    {"openmp_events", "", {"", "", kFormats}},
    {"processes", "", {"", "", kFormats}},
    {"threads", "", {"", "", kFormats}},
    {"properties", "", {"", "", kFormats}},
    {"issues", "", {"", "", kAssay}},
    {"windows", "", {"", "", "--window, --config"}},
    {"device_work", "", {"", "", "kernels, copies, sets, graphs"}},
    {"range_paths", "", {"", "", "ranges, spans, calls, kernels, graphs, copies, sets"}},
    {"labels", "", {"", "", "the profile, its name"}},
    {"profiles", "", {"", "", "the profile, its name"}},
    {"runs", "", {"", "", "the profiles, their names"}},
    // Columns with the same meaning in every table of the report model.
    {"", "report", {"", "path of the profile", {}}},
    {"", "id", {"", "row number; other tables refer to it", {}}},
    {"", "start", {"ns", "start, since the session began", {}}},
    {"", "end", {"ns", "end, since the session began", {}}},
    {"", "time", {"ns", "when, since the session began", {}}},
    {"", "duration", {"ns", "end - start", {}}},
    {"", "name", {"", "name as recorded", {}}},
    {"", "short_name", {"", "kernel name without namespaces, template arguments and parameters", {}}},
    {"", "device", {"", "number of the GPU: devices.id", {}}},
    {"", "stream", {"", "stream, unique per process, device and context", {}}},
    {"", "context", {"", "context, unique per process", {}}},
    {"", "green_context", {"", "green context; NULL: none", {}}},
    {"", "call", {"", "row of calls: the API call that launched it", {}}},
    {"", "thread", {"", "row of threads", {}}},
    {"", "process", {"", "row of processes", {}}},
    {"", "membership", {"", "inside or outside the window; foreign: launched outside, runs inside", {}}},
    {"", "correlation", {"", "joins a launch to its work; unique per process", {}}},
    {"", "bytes", {"bytes", "size", {}}},
    {"", "grid_x", {"blocks", "grid size", {}}},
    {"", "grid_y", {"blocks", "grid size", {}}},
    {"", "grid_z", {"blocks", "grid size", {}}},
    {"", "block_x", {"threads", "block size", {}}},
    {"", "block_y", {"threads", "block size", {}}},
    {"", "block_z", {"threads", "block size", {}}},
    {"", "source", {"", "table of the export that the row comes from", {}}},
    // The report model, table by table.
    {"kernels", "mangled_name", {"", "linker symbol", {}}},
    {"kernels", "registers", {"", "registers per thread", {}}},
    {"kernels", "static_shared", {"bytes", "static shared memory per block", {}}},
    {"kernels", "dynamic_shared", {"bytes", "dynamic shared memory per block", {}}},
    {"kernels", "executed_shared", {"bytes", "shared memory per block as configured", {}}},
    {"kernels", "shared_a_block", {"bytes", "static and dynamic shared memory per block", {}}},
    {"kernels", "graph_node", {"", "CUDA graph node it ran as; NULL: launched directly", {}}},
    {"kernels", "blocks_per_sm", {"", "blocks of the grid per multiprocessor", {}}},
    {"kernels", "warps_per_sm", {"", "warps of the grid per multiprocessor", {}}},
    {"kernels", "occupancy", {"0..1", "achieved occupancy, estimated by the profiler", {}}},
    {"kernels", "op", {"", "row of ops: the innermost operator around the launch", {}}},
    {"kernels", "profiled", {"", "row of profiled: same kernel and launch shape", "counters next to the profile"}},
    {"graphs", "graph", {"", "id of the CUDA graph; its kernels are not in kernels", {}}},
    {"copies", "direction", {"", "h2d, d2h, d2d, p2p, h2h, array, um_h2d, um_d2h, um_d2d", {}}},
    {"copies", "kind", {"", "number of the copy kind as the profiler writes it", {}}},
    {"copies", "source_kind", {"", "memory copied from: pageable, pinned, device, array, managed, ...", {}}},
    {"copies", "target_kind", {"", "memory copied to, likewise", {}}},
    {"copies", "address", {"", "virtual base address of unified memory", {}}},
    {"sets", "memory_kind", {"", "memory that is set, like source_kind of copies", {}}},
    {"calls", "kind", {"", "kernel_launch, graph_launch, copy, set, device_sync, ..., from the name", {}}},
    {"calls", "name", {"", "name without the version suffix", {}}},
    {"calls", "full_name", {"", "name with the version suffix", {}}},
    {"calls", "in_window", {"", "1: in the window, by process and time", {}}},
    {"calls", "range", {"", "row of ranges: the innermost push/pop range around it", kAssay}},
    {"calls", "return_value", {"", "status; 0 is success, other values are often harmless", {}}},
    {"calls", "twin", {"", "row of calls: the next call with the same correlation", {}}},
    {"calls", "op", {"", "row of ops: the innermost operator around it", {}}},
    {"ranges", "parent", {"", "row of ranges: the range around it on its thread", {}}},
    {"ranges", "depth", {"", "nesting depth; 0: outermost", {}}},
    {"ranges", "domain", {"", "NVTX domain; NULL: the default one", {}}},
    {"ranges", "end_thread", {"", "row of threads: where the range ended", {}}},
    {"ranges", "open", {"", "1: never ended; it ends with the capture", {}}},
    {"ranges", "reach", {"ns", "index for searching ranges; not useful by itself", kAssay}},
    {"ranges", "in_named_domain", {"", "1: the profile names the domain", {}}},
    {"ranges", "row_id", {"", "row number in the export", {}}},
    {"spans", "parent", {"", "NULL: start/end ranges have no parent", {}}},
    {"spans", "depth", {"", "0: start/end ranges are not nested", {}}},
    {"spans", "domain", {"", "NVTX domain; NULL: the default one", {}}},
    {"spans", "end_thread", {"", "row of threads: where the range ended", {}}},
    {"spans", "open", {"", "1: never ended; it ends with the capture", {}}},
    {"spans", "reach", {"ns", "index for searching ranges; not useful by itself", kAssay}},
    {"spans", "in_named_domain", {"", "1: the profile names the domain", {}}},
    {"spans", "row_id", {"", "row number in the export", {}}},
    {"syncs", "record", {"", "row of calls: the call that recorded the event waited for", {}}},
    {"syncs", "record_stream", {"", "stream that the event was recorded on", {}}},
    {"syncs", "type", {"", "1 event, 2 stream waits for event, 3 stream, 4 context", {}}},
    {"overheads", "name", {"", "what the profiler did meanwhile", {}}},
    {"causes", "name", {"", "what the thread did or waited for: compiling forward", {}}},
    {"causes", "kind", {"", "what such causes have in common: compile", {}}},
    {"causes", "file", {"", "of the program's source", {}}},
    {"causes", "line", {"", "in the file", {}}},
    {"ops", "kind", {"", "operator, python_function or annotation", {}}},
    {"ops", "parent", {"", "row of ops: the operator around it on its thread", {}}},
    {"ops", "depth", {"", "nesting depth; 0: outermost", {}}},
    {"ops", "external_id", {"", "the profiler's number of the operator", {}}},
    {"ops", "python_id", {"", "number of the Python call", {}}},
    {"ops", "python_parent", {"", "python_id of the calling function", {}}},
    {"ops", "python_module", {"", "number of the nn.Module instance whose forward this is", {}}},
    {"ops", "input_dims", {"", "shapes of the inputs, JSON (record_shapes=True)", {}}},
    {"ops", "input_types", {"", "types of the inputs, JSON (record_shapes=True)", {}}},
    {"ops", "concrete_inputs", {"", "scalar inputs, JSON (record_shapes=True)", {}}},
    {"ops", "sequence", {"", "autograd number that an operator shares with its backward", {}}},
    {"ops", "forward_thread", {"", "the profiler's number of the thread that ran the forward", {}}},
    {"ops", "input_strides", {"", "strides of the inputs, JSON (record_shapes=True)", {}}},
    {"ops", "flops", {"FLOP", "of one call, as the profile states them", {}}},
    {"ops", "least_bytes", {"bytes", "of one call, each operand and result once", {}}},
    {"ops", "work_kind", {"", "kind of work, such as matrix product", {}}},
    {"ops", "arithmetic", {"", "type that matrix units multiply, such as bf16", {}}},
    {"allocations", "bytes", {"bytes", "allocated; negative: freed", {}}},
    {"allocations", "allocated", {"bytes", "in use on the device afterwards", {}}},
    {"allocations", "reserved", {"bytes", "held by the allocator afterwards", {}}},
    {"allocations", "device", {"", "number of the GPU; NULL: host memory", {}}},
    {"iterations", "number", {"", "number in the range's name", {}}},
    {"account", "step", {"", "id of steps", {}}},
    {"account", "kind", {"", "kernel, graph, communication, copy, set or idle", {}}},
    {"account", "cause", {"", "of idle time: launch, calls, host, blocked, queued, stream, stated, ...", {}}},
    {"account", "name", {"", "kernel, call that the host was blocked in, or stated cause", {}}},
    {"account", "direction", {"", "of copies", {}}},
    {"account", "range", {"", "innermost range around the launch or the host code, id of ranges", {}}},
    {"account", "time", {"ns", "the rows of a step and device add up to the step's duration", {}}},
    {"account", "count", {"", "pieces of work, or of idle time", {}}},
    {"steps", "number", {"", "number in its process, from 0", {}}},
    {"steps", "range", {"", "its range, id of ranges; NULL: a start/end range", {}}},
    {"steps", "host_start", {"ns", "start of its range", {}}},
    {"steps", "host_end", {"ns", "end of its range, at most the next one's start", {}}},
    {"steps", "until", {"ns", "what is launched from host_start to here belongs to the step", {}}},
    {"steps", "device_start", {"ns", "first start of the device work launched in it, by any thread", {}}},
    {"steps", "device_end", {"ns", "last end of the device work launched in it, by any thread", {}}},
    {"steps", "launched", {"", "kernels, graph launches, copies and sets launched in it", {}}},
    {"steps", "whole", {"", "0: cut by the end of the capture", {}}},
    {"steps", "disturbed", {"", "why means leave it out; none: they do not", {}}},
    {"steps", "source", {"", "how steps were found: named, profiler marks or ranges", {}}},
    {"iterations", "overlapping", {"", "1: overlaps another iteration", {}}},
    {"collectives", "kernel", {"", "row of kernels", {}}},
    {"collectives", "kind", {"", "all_reduce, all_gather, reduce_scatter, ...", {}}},
    {"collectives", "group_name", {"", "process group or communicator", {}}},
    {"collectives", "group_ranks", {"", "global ranks of the group, '0,1'", {}}},
    {"collectives", "group_size", {"", "number of ranks in the group", {}}},
    {"collectives", "sequence", {"", "number within the group, equal on all its ranks", {}}},
    {"collectives", "sent", {"bytes", "what this rank puts in", {}}},
    {"collectives", "received", {"bytes", "what this rank gets out", {}}},
    {"collectives", "dtype", {"", "element type", {}}},
    {"devices", "id", {"", "number of the GPU, as in the device columns", {}}},
    {"devices", "name", {"", "product name", {}}},
    {"devices", "sm_count", {"", "multiprocessors", {}}},
    {"devices", "compute_major", {"", "compute capability", {}}},
    {"devices", "compute_minor", {"", "compute capability", {}}},
    {"devices", "max_threads_per_sm", {"", "limit of a multiprocessor", {}}},
    {"devices", "max_blocks_per_sm", {"", "limit of a multiprocessor", {}}},
    {"devices", "max_registers_per_sm", {"", "limit of a multiprocessor", {}}},
    {"devices", "max_shared_per_sm", {"bytes", "shared memory of a multiprocessor", {}}},
    {"devices", "total_memory", {"bytes", "device memory", {}}},
    {"devices", "clock_rate", {"Hz", "highest clock of the multiprocessors", {}}},
    {"devices", "l2_size", {"bytes", "L2 cache", {}}},
    {"devices", "memory_bandwidth", {"bytes/s", "peak bandwidth of device memory", {}}},
    {"profiled", "result", {"", "number that the profiler gave the launch; unique per process", {}}},
    {"profiled", "pid", {"", "process id of the operating system", {}}},
    {"profiled", "launch_group", {"", "row of profiled: first of the same kernel and launch shape", kAssay}},
    {"counters", "profiled", {"", "row of profiled: the launch that was measured", {}}},
    {"counters", "section", {"", "section of the profiler's report", {}}},
    {"counters", "name", {"", "metric of the profiler, or its label on the details page", {}}},
    {"counters", "unit", {"", "base unit: ns, byte, byte/s, hz, %, ...", {}}},
    {"counters", "value", {"", "value in that unit", {}}},
    {"processes", "pid", {"", "process id of the operating system", {}}},
    {"threads", "tid", {"", "thread id of the operating system", {}}},
    {"threads", "name", {"", "name of the thread", {}}},
    {"threads", "priority", {"", "scheduling priority", {}}},
    {"properties", "name", {"", "what the file records about itself: hostname, distributedInfo.rank, ...", {}}},
    {"properties", "value", {"", "value as text", {}}},
    {"issues", "severity", {"", "info, warning or error", {}}},
    {"issues", "name", {"", "short fixed name: unlinked, no_kernel_table, ...", {}}},
    {"issues", "count", {"", "rows concerned; 0: not about rows", {}}},
    {"issues", "text", {"", "what is wrong or missing, in one sentence", {}}},
    {"windows", "host_start", {"ns", "start of the ranges on the host", {}}},
    {"windows", "host_end", {"ns", "end of the ranges on the host", {}}},
    {"windows", "named", {"", "1: from a named range; 2: where launches have their kernels; 0: all", {}}},
    {"windows", "matches", {"", "number of ranges with the name", {}}},
    {"windows", "name", {"", "name of the range", {}}},
    {"range_paths", "path", {"", "folded names from the outermost range on: request_{i}/decode_{i}", {}}},
    {"range_paths", "name", {"", "last part of the path", {}}},
    {"range_paths", "depth", {"", "parts of the path before the last", {}}},
    {"range_paths", "count", {"", "ranges of the path that ended in the window", {}}},
    {"range_paths", "median", {"ns", "of their times on the host", {}}},
    {"range_paths", "p95", {"ns", "of these times; NULL: of fewer than 20", {}}},
    {"range_paths", "p99", {"ns", "of these times; NULL: of fewer than 100", {}}},
    {"range_paths", "max", {"ns", "of these times", {}}},
    {"range_paths", "total", {"ns", "sum of these times", {}}},
    {"range_paths", "share", {"0..1", "time in which one is open, of the window", {}}},
    {"range_paths", "step_share", {"0..1", "the same of the steps; NULL: in none", {}}},
    {"range_paths", "gpu_time", {"ns", "time the device ran what they launched, per range", {}}},
    {"range_paths", "busy_share", {"0..1", "of the time to the later of their end and that of their work", {}}},
    {"range_paths", "idle", {"ns", "of that time when no device ran anything, per range", {}}},
    {"range_paths", "kernels", {"", "per range, of a graph where it is launched; NULL: hidden in graphs", {}}},
    {"range_paths", "launches", {"", "calls that launch a kernel or a graph, per range", {}}},
    {"device_work", "kind", {"", "table it comes from: kernels, copies, sets or graphs", {}}},
    {"device_work", "name", {"", "kernel's short name, or direction of the copy", {}}},
    {"profiles", "job", {"", "first profile of the job that it is a rank of", {}}},
    {"profiles", "rank", {"", "place in the job", {}}},
    {"profiles", "world_size", {"", "ranks of the job", {}}},
    {"profiles", "capture", {"", "number of the capture of one program", {}}},
    {"profiles", "gpu", {"", "model of the GPU", {}}},
    {"profiles", "driver", {"", "version of the driver", {}}},
    {"profiles", "profiler", {"", "program that recorded it", {}}},
    {"profiles", "program", {"", "program that was recorded", {}}},
    {"profiles", "recorded", {"", "when, UTC", {}}},
    {"runs", "run", {"", "number of the run, from 1: what was executed once", {}}},
    {"runs", "configuration", {"", "what its name says was changed", {}}},
    {"runs", "role", {"", "part of a run that runs another program", {}}},
    {"runs", "rank", {"", "place in the job", {}}},
    {"runs", "world", {"", "ranks of the job", {}}},
    {"runs", "process", {"", "process id", {}}},
    {"runs", "device", {"", "device that ran its kernels", {}}},
    {"runs", "capture", {"", "number of the capture of its process", {}}},
    {"runs", "repeat", {"", "number of the run of its configuration, by time", {}}},
    {"runs", "host", {"", "name of the machine", {}}},
    {"runs", "start", {"ns", "first event, since 1970", {}}},
    {"runs", "evidence", {"", "why its files are one run", {}}},
    {"labels", "name", {"", "name of the label", {}}},
    {"labels", "value", {"", "value as text", {}}},
    // results.sqlite.
    {"meta", "item", {"", "assay, results, question or analyzer", kRun}},
    {"meta", "name", {"", "which one", kRun}},
    {"meta", "value", {"", "version or text", kRun}},
    {"", "question", {"", "id of the question", kRun}},
    {"questions", "title", {"", "short title", kRun}},
    {"questions", "text", {"", "the question as asked", kRun}},
    {"questions", "note", {"", "what to know before reading the answer", kRun}},
    {"questions", "expected", {"", "runs in the matrix", kRun}},
    {"questions", "present", {"", "of these, runs found", kRun}},
    {"sources", "source", {"", "abbreviation", kRun}},
    {"sources", "text", {"", "the source spelled out", kRun}},
    {"label_rules", "position", {"", "order of the labels", kRun}},
    {"", "label", {"", "name of the label", kRun}},
    {"label_rules", "numeric", {"", "1: compared as a number", kRun}},
    {"label_rules", "descriptive", {"", "1: runs may differ in it and still be repeat runs", kRun}},
    {"label_rules", "rank", {"", "1: tells the ranks of a job apart", kRun}},
    {"reports", "bytes", {"bytes", "size of the file", kRun}},
    {"reports", "role", {"", "question, or noise: only for run-to-run noise", kRun}},
    {"reports", "status", {"", "read, or why not", kRun}},
    {"reports", "doubt", {"", "why its labels are not trusted; empty: they are", kRun}},
    {"labels", "origin", {"", "where the value comes from", kRun}},
    {"attributes", "name", {"", "name, such as fingerprint", kAnalyzer}},
    {"attributes", "value", {"", "text", kAnalyzer}},
    {"", "metric", {"", "id of the metric", kAnalyzer}},
    {"", "unit", {"", "unit of the value", kAnalyzer}},
    {"metrics", "polarity", {"", "which is better: lower, higher or neutral", kAnalyzer}},
    {"", "analyzer", {"", "id of the analyzer", kRun}},
    {"metrics", "definition", {"", "what is measured, in full", kAnalyzer}},
    {"metrics", "title", {"", "what is measured, in a few words", kAnalyzer}},
    {"metrics", "extensive", {"", "1: grows with the length of the run", kAnalyzer}},
    {"", "fact", {"", "row of facts", kRun}},
    {"", "dims", {"", "what the value is of: direction=h2d;...", kAnalyzer}},
    {"", "value", {"", "value in its unit", kAnalyzer}},
    {"facts", "report", {"", "path of the profile; empty: of the whole study", kAnalyzer}},
    {"", "n", {"", "number of values or runs behind it", kAnalyzer}},
    {"", "position", {"", "order", kRun}},
    {"", "finding", {"", "row of findings", kConclude}},
    {"findings", "role", {"", "answer, evidence or note", kConclude}},
    {"", "title", {"", "headline", kConclude}},
    {"", "text", {"", "full text", kConclude}},
    {"findings", "labels", {"", "labels as a JSON object", kConclude}},
    {"strata", "labels", {"", "labels as a JSON object", kConclude}},
    {"", "kind", {"", "ratio, difference, level or share", kConclude}},
    {"", "lo", {"", "lower end of the interval; NULL: none", kConclude}},
    {"", "hi", {"", "upper end of the interval; NULL: none", kConclude}},
    {"", "level", {"0..1", "confidence of the interval", kConclude}},
    {"", "method", {"", "how the interval was computed", kConclude}},
    {"", "scope", {"", "between_run or within_run: the variation in the interval", kConclude}},
    {"", "claim", {"", "id of the claim", kRun}},
    {"claims", "source", {"", "who claims it", kRun}},
    {"", "verdict", {"", "supported, refuted, inconclusive or untestable", kConclude}},
    {"", "reason", {"", "why", kConclude}},
    {"", "stratum", {"", "row of strata", kConclude}},
    {"needs", "unit", {"", "runs of each side, or blocks", kConclude}},
    {"needs", "scale", {"", "scale of centre and spread", kConclude}},
    {"needs", "centre", {"", "effect on that scale", kConclude}},
    {"needs", "spread", {"", "standard deviation of a run or block", kConclude}},
    {"needs", "degrees", {"", "degrees of freedom of the spread", kConclude}},
    {"needs", "low", {"", "lower end of the claimed range", kConclude}},
    {"needs", "high", {"", "upper end of the claimed range", kConclude}},
    {"needs", "unseen", {"", "spread that the runs cannot show", kConclude}},
    {"needs", "sides", {"", "sides that need runs", kConclude}},
    {"needs", "seen", {"", "runs or blocks so far", kConclude}},
    {"needs", "needed", {"", "runs or blocks to decide the claim", kConclude}},
    {"needs", "in_vain", {"", "why more runs would not help; empty: they would", kConclude}},
    {"finding_pairs", "pairs", {"", "pairs that the effect summarizes", kConclude}},
    {"finding_pairs", "agreeing", {"", "pairs on the same side of 1", kConclude}},
    {"completeness", "kind", {"", "missing, unexpected, duplicate, unreadable or lacking", kRun}},
    {"completeness", "item", {"", "run or file", kRun}},
    {"skipped", "failed", {"", "1: the analyzer failed; 0: it had nothing to measure", kRun}},
    {"skipped", "lacks", {"", "column that the analyzer needs and the profile lacks; empty: another reason", kRun}},
    {"", "table_id", {"", "row of tables", kAnalyzer}},
    {"", "row", {"", "row of the analyzer's table", kAnalyzer}},
    {"tables", "rows", {"", "number of rows", kAnalyzer}},
    {"files", "name", {"", "file of the result", kRun}},
};

using Text = DescribedColumn::Text;

/// "nsys, torch": the formats that declare to fill the column.
std::string formats_of(std::string_view table, std::string_view column) {
  ColumnId id = id_of_column(table, column).value_or(col::kernels);  // processes and threads: every format that records
                                                                     // work
  if (table == "threads" && (column == "name" || column == "priority")) id = col::thread_names;
  std::string words;
  for (const load::Format* format : load::formats()) {
    if (std::ranges::find(format->notes.fills, id) != format->notes.fills.end())
      words.append(words.empty() ? "" : ", ").append(format->kind.word);
  }
  return words.empty() ? "formats that are added" : words;
}

/// Text of a column of a declared table from its format; for other columns only the format's name.
ColumnText declared_text(std::string_view table, std::string_view column) {
  for (const load::Format* format : load::formats()) {
    for (const TableSpec& spec : format->notes.tables) {
      if (spec.name.view() != table) continue;
      const auto of = std::ranges::find_if(spec.columns, [&](const ColumnSpec& c) { return c.name.view() == column; });
      const std::string word(format->kind.word);
      return of == spec.columns.end() ? ColumnText{{}, {}, word} : ColumnText{of->unit.view(), of->doc.view(), word};
    }
  }
  return {};
}

}  // namespace

ColumnText column_text(std::string_view table, std::string_view column) {
  static const std::map<std::string, Text> kTexts = [] {
    std::map<std::string, Text> texts;
    for (const DescribedColumn& row : kColumns)
      texts[std::string(row.table) + "." + std::string(row.column)] = row.text;
    return texts;
  }();
  const auto text_of = [](std::string_view of, std::string_view name) {
    const auto found = kTexts.find(std::string(of) + "." + std::string(name));
    return found == kTexts.end() ? Text{} : found->second;
  };
  ColumnText declared = declared_text(table, column);
  if (!declared.meaning.empty()) return declared;
  Text text = text_of(table, column);
  if (text.meaning.empty()) text = text_of("", column);
  if (!declared.filled_by.empty()) return {text.unit, text.meaning, std::move(declared.filled_by)};
  if (text.filled_by.empty()) text.filled_by = text_of(table, "").filled_by;
  const bool wide = table == "facts_wide" || table == "facts_labelled";  // a column per label, one per metric
  if (text.meaning.empty() && wide)
    text = {"", column.find('.') == std::string_view::npos ? "value of the label" : "value of the metric", kRun};
  if (text.filled_by.empty() && !text.meaning.empty()) text.filled_by = kRun;  // of results.sqlite, not of a profile
  return {text.unit, text.meaning,
          text.filled_by == kFormats ? formats_of(table, column) : std::string(text.filled_by)};
}

}  // namespace assay::query
