// What `run`, `merge`, `record`, `study` and `submit` share: a run as it is asked for, and from its answers to a
// written and printed result.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cli/ci.hpp"
#include "cli/sql_limits.hpp"
#include "pipeline/pipeline.hpp"
#include "pipeline/run_record.hpp"
#include "result.hpp"
#include "results/kept_run.hpp"

namespace assay {

/// What an analyzer may take with --isolate unless said otherwise: ten minutes, half of the machine's memory.
process::Limits default_plugin_limits();

struct RunOptions;
/// Error: ends the run.
using RunStep = std::function<Status(const RunOptions& options, const std::vector<Question>& questions,
                                     const std::atomic<bool>& stop)>;
using RunInstead = std::function<Exit(const RunOptions& options, const std::atomic<bool>& stop)>;

struct RunOptions {
  std::vector<std::string> command;  ///< the command line, for run.json
  std::vector<std::filesystem::path> configs;
  std::vector<std::filesystem::path> reports;       ///< --reports, one or more; none: see report_folders
  std::vector<std::filesystem::path> plugin_paths;  ///< --plugin-path
  bool trust_plugins = false;                       ///< --trust-plugins
  std::filesystem::path out = "assay-out";          ///< -o
  unsigned jobs = 0;                                ///< -j; 0: all cores
  Reader reader = Reader::kDirect;                  ///< --reader
  std::vector<RunStep> before = {};                 ///< what tools do before profiles are looked for
  RunInstead instead = {};                          ///< what a tool does in the place of the run; empty: the run
  bool isolate = false;                             ///< --isolate: analyzers in processes of their own
  process::Limits plugin_limits = default_plugin_limits();  ///< --plugin-time-limit, --plugin-memory-limit
  SqlLimits sql_limits;                                     ///< --sql-timeout, --sql-memory
  bool force = false;                                       ///< --force: OUT may hold files of somebody else
  CiOptions ci;                                             ///< --gate, --annotations
  bool strict = false;                                      ///< exit 3 when anything failed or was skipped
  bool quiet = false;                                       ///< -q: no summary, errors only
  std::optional<std::filesystem::path> cache;               ///< --cache: folder of the result cache; none: --no-cache
  std::uint64_t cache_bytes = kCacheBytes;                  ///< --cache-size
  bool trust_times = false;                                 ///< --trust-mtime
  bool whole = false;                                       ///< -v: of several questions the whole summary of each
};

/// How the pipeline is gone with these options.
PipelineSettings settings_of(const RunOptions& options, const std::atomic<bool>& stop);

/// A run whose reports are read, and what is read beside them when it is wanted.
struct AnalyzedRun {
  std::unique_ptr<Pipeline> line;
  std::function<void(RunResult&)> remark;             ///< what tools know of the runs, when there are answers
  std::function<std::string()> run_json;              ///< the text of run.json, asked last
  std::function<Sheets(std::size_t)> sheets = {};     ///< of a question; see Beside
  std::vector<std::vector<OwnedFinding>> first = {};  ///< by question: said before everything else; empty: nothing
};

/// A run whose answers are written.
struct FinishedRun {
  std::unique_ptr<Pipeline> line;
  RunResult result;  ///< borrows from `line`
  std::vector<std::string> files;
  NamedDigests digests = {};  ///< of the files, where they are remembered
};

/// Concludes, and writes to options.out.
Result<FinishedRun> finished(AnalyzedRun analyzed, const RunOptions& options);

/// Prints what came of it unless options.quiet; the exit code. `kept` remembers what goes well; null: nobody does.
Exit print_outcome(const Result<FinishedRun>& done, const RunOptions& options, LastRunCache* kept = nullptr);
/// What the exit code says of it, with its sentence; nothing when all is well.
Status outcome(const RunResult& run, const RunOptions& options);

/// A run whose reports are found and not yet read.
struct ReadyRun {
  RunRecord record;
  std::unique_ptr<Pipeline> line;
  std::vector<std::filesystem::path> folders;  ///< of reports
};
Result<ReadyRun> ready_run(const RunOptions& options, const std::atomic<bool>& stop);

/// The whole run, told. One that would come to what the last one came to only says that.
Exit run_and_tell(const RunOptions& options, const std::atomic<bool>& stop);

/// The whole run, without a word.
Result<FinishedRun> finished_run(const RunOptions& options, const std::atomic<bool>& stop);

/// The error told; of an interruption also that the folder of results is as it was.
Exit fail(const Error& error, const RunOptions& options);

}  // namespace assay
