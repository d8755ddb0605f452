// From labels to the command that makes a run.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/experiment.hpp"
#include "config/question.hpp"
#include "result.hpp"

namespace assay::record {

/// Label and value, normalised, sorted by label.
using Values = std::vector<std::pair<std::string, std::string>>;

/// The value of a label; empty when it has none.
std::string value_of(const Values& values, std::string_view label);

/// A pattern with values in its places; nothing when a label has none.
std::optional<std::string> filled(const std::string& pattern, const Values& values);

/// "patch=8;dim=384", for messages.
std::string text_of(const Values& values);

/// The stem of the report of a run with these labels: a pattern and as few suffixes as say all that is not default. A
/// word that someone declared for a default (`_uncompiled`) is used where the matrix names the label (`named`). The
/// name has been read again and gives the same labels. Error: no name does, as a whole sentence.
Result<std::string> run_name(const Question& question, const Values& values, const std::vector<std::string>& named);

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
struct RunLocation {
  std::string report;  ///< path of the report without extension
  std::string run;
  std::size_t block = 0;
};
Command placed(Command command, const RunLocation& place);

/// As a shell would have to be told, for people: nothing here is run by one.
std::string quoted(const std::vector<std::string>& words);

}  // namespace assay::record
