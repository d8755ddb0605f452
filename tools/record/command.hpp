// Builds the command of a run from its labels.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/question.hpp"
#include "record/experiment.hpp"
#include "result.hpp"

namespace assay::record {

/// Label and value, normalized, sorted by label.
using Values = std::vector<std::pair<std::string, std::string>>;

/// Value of a label; empty if it has none.
std::string value_of(const Values& values, std::string_view label);

/// A pattern with its placeholders replaced by values; empty if a label has none.
std::optional<std::string> filled(const std::string& pattern, const Values& values);

/// "patch=8;dim=384", for messages.
std::string text_of(const Values& values);

/// Stem of the report of a run with these labels: a pattern, and the fewest suffixes for all non-default values. A
/// declared word for a default (`_uncompiled`) is used if the matrix names the label (`named`). Checks that the name
/// parses to the same labels. Error: no name does, as a whole sentence.
Result<std::string> run_name(const Question& question, const Values& values, const std::vector<std::string>& named);

/// Starts one run. Texts contain {report}, {run} and {block} until `placed`.
struct Command {
  std::vector<std::string> words;  ///< launcher, numactl, profiler, program, in that order
  std::vector<std::string> bare;   ///< without the profiler, for warm-up runs
  Values env;                      ///< in addition to the environment of this process
  std::filesystem::path folder;    ///< where it runs
  std::vector<std::vector<std::string>> prepare, conclude;
  std::vector<std::string> check;

  friend bool operator==(const Command&, const Command&) = default;
};

/// Command of a cell. Error: a label in the text has no value, or a value has no words.
Result<Command> command_of(const ExperimentSpec& experiment, const Values& values);

/// Labels used in the command, the environment or the binding.
std::set<std::string> labels_in(const ExperimentSpec& experiment);

/// Location of a run, for its command.
struct RunLocation {
  std::string report;  ///< path of the report without extension
  std::string run;
  std::size_t block = 0;
  std::size_t steps = 0;  ///< 0: no pilot run chose any
};
Command placed(Command command, const RunLocation& place);

/// Quoted like in a shell, for display: assay does not use a shell.
std::string quoted(const std::vector<std::string>& words);

}  // namespace assay::record
