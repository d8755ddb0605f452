// The files that runners of experiments write: results.json, experiment_summary.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result.hpp"

namespace assay {

/// One run. Two schemas are read, field by field: of a runner of whole processes (run_id, duration, success, exit_code,
/// error, ...) and of a program that measures itself (name, elapsed_s, throughput, batches, config, ...).
struct RunnerEntry {
  std::string name;                  ///< "name", or else "run_id"; empty: it has none
  std::optional<double> process_s;   ///< "duration": the whole process, start-up and warm-up included
  std::optional<double> pass_s;      ///< "elapsed_s": the measured pass alone
  std::optional<double> per_second;  ///< "throughput"
  std::optional<double> batches;     ///< "batches"
  std::string failure;               ///< one line from success, exit_code and error; empty: it did not fail
  std::vector<std::pair<std::string, std::string>> fields;  ///< all that hold one value: dotted key, text
};

struct RunnerFile {
  std::vector<RunnerEntry> entries;   ///< in the order of the file; runs that were cut off are none
  bool summary = false;               ///< it counts runs ("total_runs") and lists none
  std::vector<std::string> problems;  ///< whole sentences, about values that mean nothing
};

/// No entries: the file is somebody else's, none of its objects has a name. Error, as the rest of a sentence: no JSON,
/// or nothing like a list of runs.
Result<RunnerFile> read_runner_file(std::string_view bytes);

}  // namespace assay
