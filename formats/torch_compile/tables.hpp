// The tables of a log, and their rows. Times in ns; kNoCell: not known.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "assay/format.hpp"

namespace assay::torch_compile {

// Columns of each table: NUMBER(name, role, unit, doc), COUNT(name, doc), TEXT(name, role, doc), and the compilation
// that a row belongs to.
// clang-format off: a table
#define ASSAY_COMPILATIONS(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  NUMBER(start, kBegin, "ns", "") NUMBER(end, kEnd, "ns", "") \
  TEXT(compile_id, kLabel, "0/1: frame 0, the second time.") \
  TEXT(function, kPlain, "Function of Python that is compiled.") \
  TEXT(place, kPlain, "model.py:26: where it begins.") \
  TEXT(file, kPlain, "Path of its source.") \
  NUMBER(line, kPlain, "", "Its first line.") \
  COUNT(attempt, "Number of the last attempt, from 0.") \
  COUNT(restarts, "Attempts that were given up.") \
  COUNT(finished, "1: the log has its end.") \
  COUNT(graphs, "1: a graph was captured.") \
  NUMBER(graph_nodes, kPlain, "", "Nodes of the graph.") \
  NUMBER(graph_calls, kPlain, "", "Operators of the graph.") \
  NUMBER(guards, kPlain, "", "Conditions that its code is bound to.") \
  COUNT(graph_breaks, "Breaks that ended its graph.") \
  NUMBER(backend, kPlain, "ns", "In the backend: AOTAutograd and Inductor.") \
  NUMBER(inductor, kPlain, "ns", "In Inductor, part of backend.") \
  NUMBER(code_generation, kPlain, "ns", "Part of inductor.") \
  NUMBER(triton, kPlain, "ns", "Waiting for Triton's compiler, part of code_generation.") \
  NUMBER(autotuning, kPlain, "ns", "Trying configurations at the first call, not before end") \
  TEXT(graph_cache, kPlain, "hit, miss or bypass of Inductor's cache.") \
  TEXT(autograd_cache, kPlain, "hit, miss or bypass of AOTAutograd's cache.") \
  TEXT(failure, kPlain, "Why it failed.")
#define ASSAY_COMPILE_PHASES(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  NUMBER(start, kBegin, "ns", "") NUMBER(end, kEnd, "ns", "") \
  OF_COMPILATION() TEXT(name, kLabel, "As PyTorch calls it: code_gen.")
#define ASSAY_GRAPH_BREAKS(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  NUMBER(time, kTime, "ns", "") OF_COMPILATION() NUMBER(line, kPlain, "", "") \
  TEXT(place, kLabel, "model.py:28: line that ends the graph.") \
  TEXT(file, kPlain, "Path of its source.") \
  TEXT(reason, kPlain, "In PyTorch's words.") \
  TEXT(explanation, kPlain, "In PyTorch's words.") \
  TEXT(hint, kPlain, "What PyTorch says to do.") \
  TEXT(frames, kPlain, "Stack of Python, outermost frame first.")
#define ASSAY_RECOMPILES(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  NUMBER(time, kTime, "ns", "") OF_COMPILATION() NUMBER(line, kPlain, "", "") \
  COUNT(failed_guards, "Compilations that were tried, each with a failed guard.") \
  TEXT(previous, kPlain, "0/0: the compilation whose guard failed.") \
  TEXT(guard, kLabel, "The guard that failed.") \
  TEXT(place, kPlain, "model.py:12: line that the guard protects.") \
  TEXT(file, kPlain, "Path of its source.") \
  TEXT(code, kPlain, "Source of that line.")
#define ASSAY_GENERATED_KERNELS(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  OF_COMPILATION() NUMBER(call, kPlain, "", "Number of its call in the code.") \
  TEXT(name, kLabel, "extern_kernels.mm: of a library.") \
  TEXT(hash, kPlain, "kernel_hash of PyTorch's traces.") \
  TEXT(kernel_file, kPlain, "kernel_file of PyTorch's traces.") \
  TEXT(place, kPlain, "model.py:20, model.py:21: lines that it computes.") \
  TEXT(code, kPlain, "Source of these lines.") \
  TEXT(nodes, kPlain, "Nodes of the captured graph that it computes.") \
  TEXT(post_grad_nodes, kPlain, "Nodes of Inductor's graph.")
#define ASSAY_PROVENANCE_LINES(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  OF_COMPILATION() TEXT(map, kLabel, "pyCodeToPost: what is mapped, as tlparse calls it.") \
  COUNT(line, "Line of the first text, from 1.") \
  COUNT(other_line, "Line of the second text.")
#define ASSAY_COLLECTIVE_SCHEDULES(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  OF_COMPILATION() COUNT(position, "Place in the graph, from 0.") \
  TEXT(operation, kLabel, "torch.ops._c10d_functional.all_reduce_.default")
#define ASSAY_COMPILE_LOGS(NUMBER, COUNT, TEXT, OF_COMPILATION) \
  NUMBER(process, kPlain, "", "Id of the process.") \
  NUMBER(rank, kPlain, "", "In the job.") \
  COUNT(entries, "Entries of the log.") \
  COUNT(damaged, "Entries and lines that cannot be read.") \
  TEXT(version, kPlain, "Of PyTorch.")
// clang-format on

#define ASSAY_NUMBER_(name, role, unit, doc) std::int64_t name = kNoCell;
#define ASSAY_COUNT_(name, doc) std::int64_t name = 0;
#define ASSAY_TEXT_(name, role, doc) StringId name = 0;
#define ASSAY_NUMBER_SPEC_(name, role, unit, doc) {#name, CellKind::kInteger, CellRole::role, unit, {}, doc},
#define ASSAY_COUNT_SPEC_(name, doc) {#name, CellKind::kInteger, CellRole::kPlain, {}, {}, doc},
#define ASSAY_TEXT_SPEC_(name, role, doc) {#name, CellKind::kText, CellRole::role, {}, {}, doc},
#define ASSAY_NUMBER_CELLS_(name, role, unit, doc) \
  std::ranges::transform(rows, cells.integers(#name).begin(), &Row::name);
#define ASSAY_COUNT_CELLS_(name, doc) std::ranges::transform(rows, cells.integers(#name).begin(), &Row::name);
#define ASSAY_TEXT_CELLS_(name, role, doc) std::ranges::transform(rows, cells.texts(#name).begin(), &Row::name);
#define ASSAY_OF_() std::int64_t compilation = kNone;
#define ASSAY_OF_SPEC_() {"compilation", CellKind::kInteger, CellRole::kRow, {}, "compilations"},
#define ASSAY_OF_CELLS_() ASSAY_COUNT_CELLS_(compilation, "")
#define ASSAY_TABLE_(Type, kColumns, table, COLUMNS)                                     \
  struct Type {                                                                          \
    COLUMNS(ASSAY_NUMBER_, ASSAY_COUNT_, ASSAY_TEXT_, ASSAY_OF_)                         \
  };                                                                                     \
  inline constexpr ColumnSpec kColumns[] = {                                             \
      COLUMNS(ASSAY_NUMBER_SPEC_, ASSAY_COUNT_SPEC_, ASSAY_TEXT_SPEC_, ASSAY_OF_SPEC_)}; \
  inline void fill(Tables& to, const std::vector<Type>& rows) {                          \
    using Row = Type;                                                                    \
    DeclaredRows cells = to.declared(table, rows.size());                                \
    COLUMNS(ASSAY_NUMBER_CELLS_, ASSAY_COUNT_CELLS_, ASSAY_TEXT_CELLS_, ASSAY_OF_CELLS_) \
  }

ASSAY_TABLE_(Compilation, kCompilationColumns, "compilations", ASSAY_COMPILATIONS)
ASSAY_TABLE_(Phase, kPhaseColumns, "compile_phases", ASSAY_COMPILE_PHASES)
ASSAY_TABLE_(GraphBreak, kBreakColumns, "graph_breaks", ASSAY_GRAPH_BREAKS)
ASSAY_TABLE_(Recompile, kRecompileColumns, "recompiles", ASSAY_RECOMPILES)
ASSAY_TABLE_(GeneratedKernel, kKernelColumns, "generated_kernels", ASSAY_GENERATED_KERNELS)
ASSAY_TABLE_(LinePair, kLineColumns, "provenance_lines", ASSAY_PROVENANCE_LINES)
ASSAY_TABLE_(ScheduledCollective, kScheduleColumns, "collective_schedules", ASSAY_COLLECTIVE_SCHEDULES)
ASSAY_TABLE_(CompileLog, kLogColumns, "compile_logs", ASSAY_COMPILE_LOGS)

inline constexpr TableSpec kTables[] = {
    {"compilations", "compilations", "What torch.compile compiled.", kCompilationColumns},
    {"compile_phases", "phases of compilations", "Parts of compilations; they nest.", kPhaseColumns},
    {"graph_breaks", "graph breaks", "Where a graph ended and Python went on.", kBreakColumns},
    {"recompiles", "recompiles", "Why a function was compiled again.", kRecompileColumns},
    {"generated_kernels", "generated kernels", "Kernels and lines of the model.", kKernelColumns},
    {"provenance_lines", "lines that belong together", "Lines of generated code and of its graphs.", kLineColumns},
    {"collective_schedules", "collectives of graphs", "Collectives in the order of each graph.", kScheduleColumns},
    {"compile_logs", "logs of torch.compile", "One row: who wrote the log.", kLogColumns}};

struct CompileRows {
  std::vector<Compilation> compilations;
  std::vector<Phase> phases;
  std::vector<GraphBreak> breaks;
  std::vector<Recompile> recompiles;
  std::vector<GeneratedKernel> kernels;
  std::vector<LinePair> lines;
  std::vector<ScheduledCollective> schedules;
  CompileLog log;
  std::int64_t clock = kNoCell;  ///< what is added to times of lines to get ns since the epoch
  std::map<std::string, std::int64_t, std::less<>> others;  ///< entries that are not read, by kind
};

/// Reads a log, entry by entry. Texts become ids of `texts`. Throws std::runtime_error if the file cannot be opened or
/// has no entry.
CompileRows read_log(const std::string& path, Tables& texts);

}  // namespace assay::torch_compile
