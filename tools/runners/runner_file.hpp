// Reads result files of experiment runners: results.json, experiment_summary.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result.hpp"

namespace assay {

/// One run. Reads two schemas, field by field: that of a runner of whole processes (run_id, duration, success,
/// exit_code, error, ...) and that of a program that measures itself (name, elapsed_s, throughput, batches, config,
/// ...).
struct RunnerEntry {
  std::string name;                  ///< "name", or else "run_id"; empty: neither
  std::optional<double> process_s;   ///< "duration": the whole process, including start-up and warm-up
  std::optional<double> pass_s;      ///< "elapsed_s": only the measured pass
  std::optional<double> per_second;  ///< "throughput"
  std::optional<double> batches;     ///< "batches"
  std::optional<double> windows;     ///< "windows"
  std::string failure;               ///< one line from success, exit_code and error; empty: it did not fail
  std::vector<std::pair<std::string, std::string>> fields;  ///< all fields with a single value: dotted key, text
};

struct RunnerFile {
  std::vector<RunnerEntry> entries;   ///< in file order, without interrupted runs
  bool summary = false;               ///< it counts runs ("total_runs") but does not list them
  std::vector<std::string> problems;  ///< whole sentences, about meaningless values
};

/// Without entries the file is foreign: none of its objects has a name. Error, as a predicate: not JSON, or not a list
/// of runs.
Result<RunnerFile> read_runner_file(std::string_view bytes);

}  // namespace assay
