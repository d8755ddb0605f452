// Shared by `run`, `merge`, `record`, `study` and `submit`: the options of a run, and the way from its results to
// written files and printed text.
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
#include "runs/configurations.hpp"

namespace assay {

/// Defaults for an analyzer with --isolate: ten minutes, half of the machine's memory.
process::Limits default_plugin_limits();

struct RunOptions;
/// An error ends the run.
using RunStep = std::function<Status(const RunOptions& options, const std::vector<Question>& questions,
                                     const std::atomic<bool>& stop)>;
using RunInstead = std::function<Exit(const RunOptions& options, const std::atomic<bool>& stop)>;

struct RunOptions {
  std::vector<std::string> command;  ///< the command line, for run.json
  std::vector<std::filesystem::path> configs;
  std::vector<std::filesystem::path> reports;       ///< --reports, one or more; empty: see report_folders
  std::vector<std::filesystem::path> plugin_paths;  ///< --plugin-path
  bool trust_plugins = false;                       ///< --trust-plugins
  std::filesystem::path out = "assay-out";          ///< -o
  RunChoice choice;                                 ///< --label, --repeats, --by
  unsigned jobs = 0;                                ///< -j; 0: all cores
  std::vector<RunStep> before = {};                 ///< steps of tools before profiles are searched
  RunInstead instead = {};                          ///< what a tool does instead of the run; empty: the run itself
  bool isolate = false;                             ///< --isolate: each analyzer in its own process
  process::Limits plugin_limits = default_plugin_limits();  ///< --plugin-time-limit, --plugin-memory-limit
  SqlLimits sql_limits;                                     ///< --sql-timeout, --sql-memory
  bool force = false;                                       ///< --force: OUT may contain foreign files
  CiOptions ci;                                             ///< --gate, --annotations
  bool strict = false;                                      ///< exit 3 if anything failed or was skipped
  bool quiet = false;                                       ///< -q: no summary, only errors
  std::optional<std::filesystem::path> cache;               ///< --cache: folder of the result cache; empty: --no-cache
  std::uint64_t cache_bytes = kCacheBytes;                  ///< --cache-size
  bool trust_times = false;                                 ///< --trust-mtime
  bool whole = false;                                       ///< -v: prints the whole summary of each of several
                                                            ///< questions
};

/// Settings of the pipeline for these options.
PipelineSettings settings_of(const RunOptions& options, const std::atomic<bool>& stop);

/// A run whose reports are read, with the further inputs of its conclusions.
struct AnalyzedRun {
  std::unique_ptr<Pipeline> line;
  std::function<void(RunResult&)> remark;             ///< adds what tools know about the runs, called before the
                                                      ///< results are written
  std::function<std::string()> run_json;              ///< text of run.json, called last
  std::function<Sheets(std::size_t)> sheets = {};     ///< sheets of a question; see ConcludeInputs
  std::vector<std::vector<OwnedFinding>> first = {};  ///< per question: findings to put before all others; empty: none
};

/// A run whose results are written.
struct FinishedRun {
  std::unique_ptr<Pipeline> line;
  RunResult result;  ///< borrows from `line`
  std::vector<std::string> files;
  NamedDigests digests = {};  ///< of the files, if they are cached
};

/// Concludes and writes to options.out.
Result<FinishedRun> finished(AnalyzedRun analyzed, const RunOptions& options);

/// Prints the outcome unless options.quiet and returns the exit code. Stores a successful run in `kept`; null: does not
/// store it.
Exit print_outcome(const Result<FinishedRun>& done, const RunOptions& options, LastRunCache* kept = nullptr);
/// Exit code of the run with its sentence; ok if nothing failed.
Status outcome(const RunResult& run, const RunOptions& options);

/// A run whose reports are found but not read yet.
struct ReadyRun {
  RunRecord record;
  std::unique_ptr<Pipeline> line;
  std::vector<std::filesystem::path> folders;  ///< of reports
};
Result<ReadyRun> ready_run(const RunOptions& options, const std::atomic<bool>& stop);

/// Runs and prints the outcome. If the run would repeat the last one, only prints that.
Exit run_and_tell(const RunOptions& options, const std::atomic<bool>& stop);

/// Runs without printing.
Result<FinishedRun> finished_run(const RunOptions& options, const std::atomic<bool>& stop);

/// Prints the error; if the run was interrupted, also that the result folder is unchanged.
Exit fail(const Error& error, const RunOptions& options);

}  // namespace assay
