#include "layout.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <sstream>
#include <typeinfo>
#include <utility>

#include "assay/format.hpp"
#include "assay/sdk.hpp"
#include "for_each.hpp"

namespace assay::compat {
namespace {

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : type.name();
}

}  // namespace

#define MEMBER(Type, member) \
  s.members.push_back(       \
      {#member, type_name(typeid(decltype(Type::member))), offsetof(Type, member), sizeof(Type::member)});
#define STRUCTURE(Type, may_grow, ...)              \
  {                                                 \
    Structure s{#Type, sizeof(Type), may_grow, {}}; \
    COMPAT_FOR_EACH(MEMBER, Type, __VA_ARGS__)      \
    all.push_back(std::move(s));                    \
  }                                                 \
  static_assert(true)
#define FROZEN(Type, ...) STRUCTURE(Type, false, __VA_ARGS__)
#define GROWS(Type, ...) STRUCTURE(Type, true, __VA_ARGS__)
/// A table by its list of columns in report.hpp.
#define LISTED_MEMBER(id, type, member, needed) MEMBER(ListedTable, member)
#define GROWS_AS_LISTED(Table, COLUMNS)                  \
  {                                                      \
    using ListedTable = Table;                           \
    Structure s{#Table, sizeof(Table), true, {}};        \
    MEMBER(ListedTable, rows)                            \
    COLUMNS(LISTED_MEMBER, LISTED_MEMBER, LISTED_MEMBER) \
    all.push_back(std::move(s));                         \
  }

namespace {

/// What both sides pass as values.
void add_values_of_both(std::vector<Structure>& all) {
  using AnySpan = Span<Str>;
  using AnyColumn = Column<Row>;
  FROZEN(Str, data, size);
  FROZEN(AnySpan, data, size);
  FROZEN(AnyColumn, data, size);
  FROZEN(Dim, key, value);
}

/// Laid out by the plugin as constants.
void add_of_the_plugin(std::vector<Structure>& all) {
  GROWS(MetricSpec, id, unit, polarity, definition, title, extensive, reserved);
  GROWS(AttributeSpec, name, definition);
  GROWS(OptionSpec, name, type, default_value, doc, choices, minimum, maximum);
  FROZEN(AbiSizes, descriptor, metric_spec, option_spec, attribute_spec, report, study, option_value, window, reserved);
  GROWS(Descriptor, magic, abi_major, abi_minor, sizes, cxx_abi, id, version, summary, stages, reserved, needs, wants,
        options, produces, attributes, consumes, claim_keys, create, check_claim, build);
}

/// Passed by the plugin with their size, or inside of such.
void add_of_calls(std::vector<Structure>& all) {
  GROWS(ColumnView, name, unit, type, texts, integers, numbers);
  FROZEN(Effect, kind, scope, metric, value, lo, hi, level, n, method, reserved);
  FROZEN(PlotAxisView, title, scale, order, flags, reserved);
  GROWS(TableView, struct_size, id, title, column_size, columns);
  GROWS(FindingView, struct_size, role, has_effect, title, text, effect, labels, evidence, pairs, agreeing);
  FROZEN(Need, unit, scale, centre, spread, degrees, low, high, unseen, sides, seen, needed, in_vain, reserved);
  GROWS(StratumView, verdict, has_effect, reason, effect, labels, evidence, need);
  GROWS(VerdictView, struct_size, claim, verdict, stratum_size, reason, strata);
  GROWS(PlotLayerView, mark, reserved, data, x, y, lo, hi, series, facet, size);
  GROWS(PlotReferenceView, on_y, reserved, from, to, label, facet);
  GROWS(PlotView, struct_size, id, title, caption, x, y, series_title, layer_size, reference_size, layers, references,
        evidence);
}

/// Laid out by the host, of `analyze`.
void add_of_the_report(std::vector<Structure>& all) {
  GROWS(OptionValue, type, given, boolean, integer, number, text, texts, numbers);
  GROWS(Window, start, end, host_start, host_end, named, matches, name);
  GROWS(Report, path, window, strings, kernels, graphs, copies, sets, calls, ranges, spans, syncs, iterations, devices,
        processes, threads, issues, overheads, ops, allocations, properties, profiled, counters, repeats, os_calls,
        mpi_events, openacc_events, openmp_events, mpi, cpu_faults, gpu_faults, collectives, declared, steps, account,
        causes);
  ASSAY_LISTED_TABLES(GROWS_AS_LISTED)
  FROZEN(DeclaredColumn, name, unit, of, kind, role, cells, reserved);
  GROWS(DeclaredTable, rows, name, title, columns);
  GROWS(ProcessTable, rows, id);
  GROWS(ThreadTable, rows, process, id, name, priority);
  GROWS(IssueTable, rows, name, severity, count, text);
  GROWS(PropertyTable, rows, name, value);
  GROWS(Job, name, ranks, tables);
  GROWS(JobRankTable, rows, path, rank, world);
  GROWS(RankRowTable, rows, rank, id, table);
}

/// Of formats.
void add_of_formats(std::vector<Structure>& all) {
  FROZEN(FileNames, extensions, telling, raw, globs, one_file, expected);
  GROWS(FormatPart, name, becomes);
  GROWS(CaptureSpec, what, command, column, reserved);
  GROWS(ColumnSpec, name, kind, role, unit, of, doc);
  GROWS(TableSpec, name, title, doc, columns);
  GROWS(FormatFile, path, size, head, tables, all_tables);
  GROWS(FormatRequest, path, size, threads, flags, also);
  GROWS(RuleView, struct_size, section, rule, kind, text, speedup, local);
  GROWS(DeviceView, struct_size, id, sm_count, compute_major, compute_minor, name, total_memory, memory_bandwidth,
        clock_rate, l2_size, max_threads_per_sm, max_blocks_per_sm, max_registers_per_sm, max_shared_per_sm);
  FROZEN(FormatSizes, descriptor, table_spec, column_spec, part, file, request, capture, recorder, reserved);
  GROWS(RecorderSpec, name, command, ends_options, numbered_ending, install);
  GROWS(FormatDescriptor, magic, major, minor, sizes, cxx_abi, id, version, summary, traits, reserved, names, reads,
        passes_over, fills, tables, sniff, identify, load, build, captures, recorders, again, explain, rules, derive);
}

/// Laid out by the host, of `conclude`.
void add_of_the_study(std::vector<Structure>& all) {
  GROWS(Study, question, text, reports, labels, label_values, attributes, metrics, facts, claims, sheets, sheet_columns,
        sheet_cells, sheet_labels, level, rows, endings);
  GROWS(StudyReportTable, rows, path, role, believed, doubt, job);
  GROWS(LabelTable, rows, name, changes, numeric, descriptive, rank);
  GROWS(LabelValueTable, rows, report, label, text, order, origin);
  GROWS(AttributeTable, rows, report, name, value);
  GROWS(MetricTable, rows, id, unit, polarity, definition, title, extensive);
  GROWS(FactTable, rows, report, metric, dims, value, sample_begin, sample_end, samples);
  GROWS(ClaimTable, rows, id, text, source, keys);
  GROWS(SheetTable, rows, id, path, lines, column_begin, column_end, label_begin, label_end);
  GROWS(SheetColumnTable, rows, name, cell_begin);
  GROWS(SheetCellTable, rows, text, number_begin, number_end, numbers);
  GROWS(SheetLabelTable, rows, label, text, order, origin);
  GROWS(StudyRowTable, rows, report, analyzer, id, table);
}

}  // namespace

std::vector<Structure> structures() {
  std::vector<Structure> all;
  add_values_of_both(all);
  add_of_the_plugin(all);
  add_of_calls(all);
  add_of_the_report(all);
  add_of_the_study(all);
  add_of_formats(all);
  return all;
}

#define ENUMERATOR(Enum, name) all.push_back({#Enum "::" #name, static_cast<long long>(Enum::name)});
#define ENUMERATORS(Enum, ...)                   \
  COMPAT_FOR_EACH(ENUMERATOR, Enum, __VA_ARGS__) \
  static_assert(true)

std::vector<Constant> constants() {
  std::vector<Constant> all = {{"kMagic", static_cast<long long>(kMagic)},
                               {"kAbiMajor", kAbiMajor},
                               {"kFormatMagic", static_cast<long long>(kFormatMagic)},
                               {"kFormatMajor", kFormatMajor}};
  ENUMERATORS(Polarity, kNeutral, kHigherIsBetter, kLowerIsBetter);
  ENUMERATORS(OptionType, kBool, kInteger, kNumber, kText, kTextList, kNumberList, kMetric, kMetricList, kLabel,
              kLabelList, kConditionList);
  ENUMERATORS(Stage, kStageAnalyze, kStageConclude, kStageJudge, kStageGather);
  ENUMERATORS(Emit, kOk, kUndeclared, kNotFinite, kDuplicate, kMalformed);
  ENUMERATORS(CellType, kText, kInteger, kNumber);
  ENUMERATORS(EffectKind, kRatio, kDifference, kLevel, kShare);
  ENUMERATORS(Scope, kBetweenRun, kWithinRun);
  ENUMERATORS(FindingRole, kAnswer, kEvidence, kNote);
  ENUMERATORS(Verdict, kSupported, kRefuted, kInconclusive, kUntestable);
  ENUMERATORS(PlotMark, kPoint, kLine, kStep, kBar);
  ENUMERATORS(PlotScale, kLinear, kLog);
  ENUMERATORS(PlotOrder, kGiven, kAscending, kDescending);
  ENUMERATORS(PlotAxisFlag, kAxisZero, kAxisFree, kAxisShares);
  ENUMERATORS(Membership, kOutside, kInside, kForeign);
  ENUMERATORS(CopyDirection, kUnknown, kHostToDevice, kDeviceToHost, kDeviceToDevice, kPeerToPeer, kHostToHost, kArray,
              kUnifiedToDevice, kUnifiedToHost, kUnifiedPeer);
  ENUMERATORS(CallKind, kOther, kKernelLaunch, kGraphLaunch, kCopy, kSet, kDeviceSync, kStreamSync, kEventSync,
              kBlockingCopy);
  ENUMERATORS(MemoryKind, kPageable, kPinned, kDevice, kArray, kManaged, kDeviceStatic, kManagedStatic, kOther,
              kUnknown);
  ENUMERATORS(AccountKind, kKernel, kGraph, kCommunication, kCopy, kSet, kIdle);
  ENUMERATORS(IdleCause, kLaunch, kCalls, kHost, kBlocked, kQueued, kStream, kProfiler, kBetween, kUnknown, kStated,
              kNotIdle);
  ENUMERATORS(Severity, kInfo, kWarning, kError);
  ENUMERATORS(CollectiveKind, kUnknown, kAllReduce, kAllGather, kReduceScatter, kAllToAll, kBroadcast, kReduce, kSend,
              kReceive, kSendReceive, kBarrier);
  ENUMERATORS(OpKind, kOperator, kPythonFunction, kAnnotation);
  ENUMERATORS(CellKind, kInteger, kReal, kText);
  ENUMERATORS(CellRole, kPlain, kKey, kTime, kBegin, kEnd, kCounter, kRow, kLabel);
  ENUMERATORS(FormatTrait, kTraitFramework, kTraitCounters, kTraitBeside, kTraitPages, kTraitAskedLast);
  ENUMERATORS(FormatRequestFlag, kReadBySqlite);
  ENUMERATORS(LinkColumn, kBlocks, kThreads, kOperator, kExternalId, kLaunched, kAddress, kNarrowId, kWideId,
              kRecordedBy, kCommunicator, kPayload, kPriority);
  ENUMERATORS(ReportRole, kQuestion, kNoise);
  ENUMERATORS(LabelChange, kChangesKernels, kChangesCopies, kChangesSync);
  ENUMERATORS(LabelOrigin, kName, kDefault, kImplied, kResults);
  ENUMERATORS(col, kernels, kernel_name, kernel_short_name, kernel_mangled_name, kernel_context, kernel_correlation,
              kernel_grid, kernel_block, kernel_registers, kernel_shared, kernel_graph_node, kernel_blocks_per_sm,
              kernel_warps_per_sm, kernel_occupancy, kernel_op, kernel_shared_a_block, kernel_profiled, graphs,
              graph_id, copies, copy_bytes, copy_direction, copy_context, sets, set_bytes, set_context);
  ENUMERATORS(col, kernel_green_context, copy_correlation, copy_memory_kinds, copy_green_context, copy_address,
              set_correlation, set_memory_kind, set_green_context);
  ENUMERATORS(col, calls, call_name, call_range, call_correlation, call_return_value, call_twin, call_op,
              call_full_name, ranges, spans, syncs, sync_record, iterations, devices, overheads, ops, op_external_id,
              op_python_ids, op_inputs, op_sequence, op_concrete_inputs, op_work, allocations, properties, profiled,
              counters);
  ENUMERATORS(col, range_row_id, span_row_id, overhead_name, repeats, os_calls, mpi_events, openacc_events,
              openmp_events, cpu_faults, gpu_faults, thread_names, collectives, declared, steps, account, causes);
  return all;
}

std::string layout_text() {
  std::ostringstream out;
  for (const Structure& s : structures()) {
    out << s.name << " " << s.size << (s.may_grow ? " may grow" : " frozen") << "\n";
    for (const Member& m : s.members) out << s.name << "." << m.name << " " << m.offset << " " << m.type << "\n";
  }
  for (const Constant& c : constants()) out << c.name << " " << c.value << "\n";
  return out.str();
}

}  // namespace assay::compat
