// What a log of torch.compile and a profile of the same process say, from `analyze` to `conclude`. Times in ns since
// the epoch; members are named like the columns of the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/sdk.hpp"

namespace assay::compile {

struct Compilation {
  std::string compile_id, function, place, failure, graph_cache, autograd_cache;
  std::int64_t start = 0, end = 0, finished = 0, graphs = 0, backend = kNoCell, triton = kNoCell, autotuning = kNoCell;

  [[nodiscard]] std::int64_t time() const { return end - start; }
};

struct GraphBreak {
  std::int64_t compilation = kNone, line = kNoCell;
  std::string place, reason, hint;
};

struct Recompile {
  std::int64_t compilation = kNone;
  std::string guard, place, code;
};

struct Kernel {
  std::int64_t compilation = kNone;
  std::string name, hash, place, code;
};

struct Collective {
  std::int64_t compilation = kNone;
  std::string operation;
};

struct LogHead {
  std::int64_t process = kNoCell, rank = kNoCell, damaged = 0;
};

struct CompileLog {
  LogHead head;
  std::vector<Compilation> compilations;
  std::vector<GraphBreak> breaks;
  std::vector<Recompile> recompiles;
  std::vector<Kernel> kernels;
  std::vector<Collective> collectives;
};

/// A step of a profile; also its only process.
struct ProfileStep {
  std::string name;
  std::int64_t process = kNoCell, start = 0, end = 0;
};

/// Launches of a generated kernel in a profile; `hash`, `file`: of its code, empty: not stated.
struct KernelTime {
  std::string compile_id, name, hash, file;
  std::int64_t process = kNoCell, count = 0, time = 0;
};

struct CompiledProfile {
  std::vector<ProfileStep> steps;
  std::vector<KernelTime> kernels;
};

std::optional<CompileLog> log_of(const Report& report);
/// Empty if the profile has no kernels of regions that torch.compile compiled, and none whose code is stated.
CompiledProfile profile_of(const Report& report);

void emit_rows(const CompileLog& log, ReportSink& sink);
void emit_rows(const CompiledProfile& profile, ReportSink& sink);
std::optional<CompileLog> log_from_rows(const StudyView& view, std::size_t report);
CompiledProfile profile_from_rows(const StudyView& view, std::size_t report);

}  // namespace assay::compile
