// The straight line: config -> plugins -> plan -> discover -> load -> analyze -> conclude -> render.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "convert/convert.hpp"
#include "isolate/contained.hpp"
#include "load/reader.hpp"
#include "result.hpp"
#include "shards/cut.hpp"

namespace CLI {
class App;
}

namespace assay {

/// What the result cache may take of the disk by default: 1 GiB.
inline constexpr std::uint64_t kCacheBytes = std::uint64_t{1} << 30;

/// What an analyzer may take with --isolate unless said otherwise: ten minutes, half of the machine's memory.
isolate::Limits default_plugin_limits();

struct RunOptions {
  std::vector<std::string> command;  ///< the command line, for run.json
  std::vector<std::filesystem::path> configs;
  std::vector<std::filesystem::path> reports;               ///< --reports, one or more; none: see report_folders
  std::vector<std::filesystem::path> plugin_paths;          ///< --plugin-path
  std::filesystem::path out = "assay-out";                  ///< -o
  unsigned jobs = 0;                                        ///< -j; 0: all cores
  Reader reader = Reader::kDirect;                          ///< --reader
  bool convert = false;                                     ///< --convert: first make exports that are missing or old
  ConvertOptions conversion;                                ///< how; its places are the folders that are read
  bool isolate = false;                                     ///< --isolate: analyzers in processes of their own
  isolate::Limits plugin_limits = default_plugin_limits();  ///< --plugin-time-limit, --plugin-memory-limit
  std::optional<ShardNumber> shard;                         ///< --shard: only its reports, into a part
  bool force = false;                                       ///< --force: OUT may hold files of somebody else
  bool xlsx = false;                                        ///< --xlsx: facts.xlsx too
  bool gate = false;                                        ///< exit 1 when a claim is refuted
  bool strict = false;                                      ///< exit 3 when anything failed or was skipped
  bool quiet = false;                                       ///< -q: no summary, errors only
  std::optional<std::filesystem::path> cache;               ///< --cache: folder of the result cache; none: --no-cache
  std::uint64_t cache_bytes = kCacheBytes;                  ///< --cache-size
  bool trust_times = false;                                 ///< --trust-mtime
  bool whole = false;                                       ///< -v: of several questions the whole summary of each
};

/// Runs and prints; returns the exit code. Errors are printed to standard error as one sentence.
Exit run(const RunOptions& options);

/// --cache and what bounds it, of the commands that read reports.
void add_cache(CLI::App& command, RunOptions& to);
/// --isolate and its limits.
void add_isolation(CLI::App& command, RunOptions& to);

}  // namespace assay
