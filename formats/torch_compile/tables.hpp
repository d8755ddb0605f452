// The tables of a log, and their rows. Times in ns; kNoCell: not known.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "assay/format.hpp"

namespace assay::torch_compile {

/// A column, and the member of its rows.
template <class Row>
struct Member {
  ColumnSpec spec;
  std::int64_t Row::* number = nullptr;
  StringId Row::* text = nullptr;

  constexpr Member(ColumnSpec column, std::int64_t Row::* of) : spec(column), number(of) {}
  constexpr Member(ColumnSpec column, StringId Row::* of) : spec(column), text(of) { spec.kind = CellKind::kText; }
};

template <class Row, std::size_t kCount>
constexpr std::array<ColumnSpec, kCount> columns_of(const Member<Row> (&members)[kCount]) {
  std::array<ColumnSpec, kCount> columns;
  for (std::size_t c = 0; c < kCount; ++c) columns[c] = members[c].spec;
  return columns;
}

inline constexpr ColumnSpec kOfCompilation = {.name = "compilation", .role = CellRole::kRow, .of = "compilations"},
                            kTime = {.name = "time", .role = CellRole::kTime, .unit = "ns"},
                            kStart = {.name = "start", .role = CellRole::kBegin, .unit = "ns"},
                            kEnd = {.name = "end", .role = CellRole::kEnd, .unit = "ns"},
                            kFile = {.name = "file", .doc = "Path of the source."}, kLine = {.name = "line"};

/// One graph, or an attempt to make one.
struct Compilation {
  StringId id = 0, function = 0, file = 0, place = 0, failure = 0, graph_cache = 0, autograd_cache = 0;
  std::int64_t start = kNoCell, end = kNoCell, line = kNoCell, attempt = 0, restarts = 0, finished = 0, graphs = 0,
               nodes = kNoCell, calls = kNoCell, guards = kNoCell, breaks = 0, backend = kNoCell, inductor = kNoCell,
               code_generation = kNoCell, triton = kNoCell, autotuning = kNoCell, place_in_log = 0, duration = kNoCell;
};
inline constexpr Member<Compilation> kCompilationMembers[] = {
    {kStart, &Compilation::start},
    {kEnd, &Compilation::end},
    {{.name = "compile_id", .role = CellRole::kLabel, .doc = "0/1: frame 0, the second time."}, &Compilation::id},
    {{.name = "function", .doc = "Function of Python that is compiled."}, &Compilation::function},
    {{.name = "place", .doc = "model.py:26: where it begins."}, &Compilation::place},
    {kFile, &Compilation::file},
    {kLine, &Compilation::line},
    {{.name = "attempt", .doc = "Number of the last attempt, from 0."}, &Compilation::attempt},
    {{.name = "restarts", .doc = "Attempts that were given up."}, &Compilation::restarts},
    {{.name = "finished", .doc = "1: the log has its end."}, &Compilation::finished},
    {{.name = "graphs", .doc = "1: a graph was captured."}, &Compilation::graphs},
    {{.name = "graph_nodes", .doc = "Nodes of the graph."}, &Compilation::nodes},
    {{.name = "graph_calls", .doc = "Operators of the graph."}, &Compilation::calls},
    {{.name = "guards", .doc = "Conditions that its code is bound to."}, &Compilation::guards},
    {{.name = "graph_breaks", .doc = "Breaks that ended its graph."}, &Compilation::breaks},
    {{.name = "backend", .unit = "ns", .doc = "In the backend: AOTAutograd and Inductor."}, &Compilation::backend},
    {{.name = "inductor", .unit = "ns", .doc = "In Inductor, part of backend."}, &Compilation::inductor},
    {{.name = "code_generation", .unit = "ns", .doc = "Part of inductor."}, &Compilation::code_generation},
    {{.name = "triton", .unit = "ns", .doc = "Waiting for Triton, part of code_generation."}, &Compilation::triton},
    {{.name = "autotuning", .unit = "ns", .doc = "Trying configurations at the first call."}, &Compilation::autotuning},
    {{.name = "graph_cache", .doc = "hit, miss or bypass of Inductor's cache."}, &Compilation::graph_cache},
    {{.name = "autograd_cache", .doc = "hit, miss or bypass of AOTAutograd's cache."}, &Compilation::autograd_cache},
    {{.name = "failure", .doc = "Why it failed."}, &Compilation::failure}};

struct Phase {
  std::int64_t start = 0, end = 0, compilation = kNone;
  StringId name = 0;
};
inline constexpr Member<Phase> kPhaseMembers[] = {
    {kStart, &Phase::start},
    {kEnd, &Phase::end},
    {kOfCompilation, &Phase::compilation},
    {{.name = "name", .role = CellRole::kLabel, .doc = "As PyTorch calls it: \"code_gen\"."}, &Phase::name}};

struct GraphBreak {
  std::int64_t time = 0, compilation = kNone, line = kNoCell;
  StringId place = 0, file = 0, reason = 0, explanation = 0, hint = 0, frames = 0;
};
inline constexpr Member<GraphBreak> kBreakMembers[] = {
    {kTime, &GraphBreak::time},
    {kOfCompilation, &GraphBreak::compilation},
    {{.name = "place", .role = CellRole::kLabel, .doc = "model.py:28: line that ends the graph."}, &GraphBreak::place},
    {kFile, &GraphBreak::file},
    {kLine, &GraphBreak::line},
    {{.name = "reason", .doc = "In PyTorch's words."}, &GraphBreak::reason},
    {{.name = "explanation", .doc = "In PyTorch's words."}, &GraphBreak::explanation},
    {{.name = "hint", .doc = "What PyTorch says to do."}, &GraphBreak::hint},
    {{.name = "frames", .doc = "Stack of Python, outermost frame first."}, &GraphBreak::frames}};

struct Recompile {
  std::int64_t time = 0, compilation = kNone, line = kNoCell, failed_guards = 0;
  StringId previous = 0, guard = 0, place = 0, file = 0, code = 0;
};
inline constexpr Member<Recompile> kRecompileMembers[] = {
    {kTime, &Recompile::time},
    {kOfCompilation, &Recompile::compilation},
    {{.name = "previous", .doc = "0/0: the compilation whose guard failed."}, &Recompile::previous},
    {{.name = "guard", .role = CellRole::kLabel, .doc = "The guard that failed."}, &Recompile::guard},
    {{.name = "place", .doc = "model.py:12: line that the guard protects."}, &Recompile::place},
    {kFile, &Recompile::file},
    {kLine, &Recompile::line},
    {{.name = "code", .doc = "Source of that line."}, &Recompile::code},
    {{.name = "failed_guards", .doc = "Compilations that were tried, each with a failed guard."},
     &Recompile::failed_guards}};

struct GeneratedKernel {
  std::int64_t compilation = kNone, call = kNoCell;
  StringId name = 0, hash = 0, file = 0, nodes = 0, post_grad_nodes = 0, place = 0, code = 0;
};
inline constexpr Member<GeneratedKernel> kKernelMembers[] = {
    {kOfCompilation, &GeneratedKernel::compilation},
    {{.name = "name", .role = CellRole::kLabel, .doc = "extern_kernels.mm: of a library."}, &GeneratedKernel::name},
    {{.name = "call", .doc = "Number of its call in the generated code."}, &GeneratedKernel::call},
    {{.name = "hash", .doc = "kernel_hash of PyTorch's traces."}, &GeneratedKernel::hash},
    {{.name = "kernel_file", .doc = "kernel_file of PyTorch's traces."}, &GeneratedKernel::file},
    {{.name = "place", .doc = "model.py:20, model.py:21: lines that it computes."}, &GeneratedKernel::place},
    {{.name = "code", .doc = "Source of these lines."}, &GeneratedKernel::code},
    {{.name = "nodes", .doc = "Nodes of the captured graph that it computes."}, &GeneratedKernel::nodes},
    {{.name = "post_grad_nodes", .doc = "Nodes of Inductor's graph."}, &GeneratedKernel::post_grad_nodes}};

struct LinePair {
  std::int64_t compilation = kNone, line = 0, other_line = 0;
  StringId map = 0;
};
inline constexpr Member<LinePair> kLineMembers[] = {
    {kOfCompilation, &LinePair::compilation},
    {{.name = "map", .role = CellRole::kLabel, .doc = "pyCodeToPost: what is mapped, as tlparse says."},
     &LinePair::map},
    {{.name = "line", .doc = "Line of the first text, from 1."}, &LinePair::line},
    {{.name = "other_line", .doc = "Line of the second text."}, &LinePair::other_line}};

struct ScheduledCollective {
  std::int64_t compilation = kNone, position = 0;
  StringId operation = 0;
};
inline constexpr Member<ScheduledCollective> kScheduleMembers[] = {
    {kOfCompilation, &ScheduledCollective::compilation},
    {{.name = "position", .doc = "Place in the graph, from 0."}, &ScheduledCollective::position},
    {{.name = "operation", .role = CellRole::kLabel, .doc = "torch.ops._c10d_functional.all_reduce_.default"},
     &ScheduledCollective::operation}};

struct CompileLog {
  std::int64_t process = kNoCell, rank = kNoCell, entries = 0, damaged = 0;
  StringId version = 0;
};
inline constexpr Member<CompileLog> kLogMembers[] = {
    {{.name = "process", .doc = "Id of the process."}, &CompileLog::process},
    {{.name = "rank", .doc = "In the job."}, &CompileLog::rank},
    {{.name = "entries", .doc = "Entries of the log."}, &CompileLog::entries},
    {{.name = "damaged", .doc = "Entries and lines that cannot be read."}, &CompileLog::damaged},
    {{.name = "version", .doc = "Of PyTorch."}, &CompileLog::version}};

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

inline constexpr auto kCompilationColumns = columns_of(kCompilationMembers);
inline constexpr auto kPhaseColumns = columns_of(kPhaseMembers);
inline constexpr auto kBreakColumns = columns_of(kBreakMembers);
inline constexpr auto kRecompileColumns = columns_of(kRecompileMembers);
inline constexpr auto kKernelColumns = columns_of(kKernelMembers);
inline constexpr auto kLineColumns = columns_of(kLineMembers);
inline constexpr auto kScheduleColumns = columns_of(kScheduleMembers);
inline constexpr auto kLogColumns = columns_of(kLogMembers);
inline constexpr TableSpec kTables[] = {
    {"compilations", "compilations", "What torch.compile compiled.", kCompilationColumns},
    {"compile_phases", "phases of compilations", "Parts of compilations; they nest.", kPhaseColumns},
    {"graph_breaks", "graph breaks", "Where a graph ended and Python went on.", kBreakColumns},
    {"recompiles", "recompiles", "Why a function was compiled again.", kRecompileColumns},
    {"generated_kernels", "generated kernels", "Kernels and lines of the model.", kKernelColumns},
    {"provenance_lines", "lines that belong together", "Lines of generated code and of its graphs.", kLineColumns},
    {"collective_schedules", "collectives of graphs", "Collectives in the order of each graph.", kScheduleColumns},
    {"compile_logs", "logs of torch.compile", "One row: who wrote the log.", kLogColumns}};

template <class Row, std::size_t kCount>
void fill(Tables& to, std::string_view table, const std::vector<Row>& rows, const Member<Row> (&members)[kCount]) {
  DeclaredRows cells = to.declared(table, rows.size());
  for (const Member<Row>& member : members) {
    if (member.text != nullptr)
      std::ranges::transform(rows, cells.texts(member.spec.name).begin(), member.text);
    else
      std::ranges::transform(rows, cells.integers(member.spec.name).begin(), member.number);
  }
}

}  // namespace assay::torch_compile
