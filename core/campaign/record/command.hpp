// From labels to the command that makes a run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "record/run_name.hpp"
#include "result.hpp"

namespace assay::record {

/// What starts one run. Texts still hold {report}, {run} and {block} until `placed`.
struct Command {
  std::vector<std::string> words;  ///< launcher, numactl, profiler, program, in that order
  std::vector<std::string> bare;   ///< without the profiler, for warm-up runs
  Values env;                      ///< beside what this process has
  std::filesystem::path folder;    ///< where it runs
  std::vector<std::vector<std::string>> prepare, conclude;
  std::vector<std::string> check;

  friend bool operator==(const Command&, const Command&) = default;
};

/// The command of a cell. Error: a label that the text needs has no value, or a value has no words.
Result<Command> command_of(const ExperimentSpec& experiment, const Values& values);

/// Labels that reach the command, the environment or the binding.
std::set<std::string> labels_in(const ExperimentSpec& experiment);

/// Where a run is put, for its command.
struct Place {
  std::string report;  ///< path of the report without extension
  std::string run;
  std::size_t block = 0;
};
Command placed(Command command, const Place& place);

/// As a shell would have to be told, for people: nothing here is run by one.
std::string quoted(const std::vector<std::string>& words);

}  // namespace assay::record
