// `[experiment]` of a question: how to make the runs that its matrix expects. Only the recorder needs it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// Placeholder of the number of steps that a run measures, which a pilot run chooses.
inline constexpr std::string_view kStepsPlaceholder = "steps";
/// Placeholder of the number of windows.
inline constexpr std::string_view kWindowsPlaceholder = "windows";

/// Wraps the program of an `[experiment]` and writes the report: a recorder of a format (RecorderSpec), or a table in
/// the question.
struct ProfilerSpec {
  bool leaves_report = true;         ///< false: profiler = "none"
  std::vector<std::string> command;  ///< in front of the program's command; {report} is the path to write; empty: the
                                     ///< program records itself
  std::string ends_options;          ///< word between `options` and the program's command; empty: none
  std::vector<std::string> version;  ///< command that prints its version; empty: not called
  std::string install;               ///< how to install it, for messages
  std::string numbered_ending;       ///< ending of report names in front of which a process id may be; empty: none
};

/// How long to wait before a run: a time, or until the GPU is as cool as at the start of the study.
struct CooldownSpec {
  double seconds = 0;
  std::optional<double> within_celsius;
  double most_seconds = 600;  ///< with within_celsius
};

/// `[experiment.arguments]` of one label: command-line words for its values.
struct ArgumentRule {
  std::string label;
  std::vector<std::pair<std::string, std::vector<std::string>>> words;  ///< value, or "*" for all others
  SourcePos pos;
};

/// `[experiment]`: how to make the runs of the matrix. Texts may contain {label} and {report}, {run}, {block}.
struct ExperimentSpec {
  std::string name;  ///< of the only run, if the question has no [[matrix]]
  std::vector<std::string> command;
  std::filesystem::path folder;  ///< working directory, absolute or relative to the current one
  ProfilerSpec profiler;
  std::vector<std::string> options;  ///< of the profiler
  std::string bind_cpus, bind_memory;
  std::string gpu;                          ///< CUDA_VISIBLE_DEVICES
  bool chooses_steps = false;               ///< steps = "{steps}": a pilot run chooses what stands for it
  std::optional<std::size_t> told_windows;  ///< windows = N, which stands for {windows}
  double timeout_seconds = 600;
  CooldownSpec cooldown;
  std::size_t warmup = 0;
  /// Run once per distinct command before the first run; if it fails the study is refused.
  std::vector<std::string> check;
  std::vector<std::vector<std::string>> prepare, conclude;
  std::vector<std::string> launcher;
  std::vector<std::pair<std::string, bool>> caches;  ///< variable; whether each run has a fresh folder ("cold")
  std::size_t replicates = 1, most = 20;             ///< blocks; `most` with --until-decided
  bool random_order = true;                          ///< order = "blocks"; false: "sequential"
  std::uint64_t seed = 1;
  std::size_t retries = 1;                               ///< of a failed, timed-out or rejected run within its block
  std::vector<std::string> reject;                       ///< "throttled", "shared_gpu"
  std::vector<std::pair<std::string, std::string>> env;  ///< of the program
  /// [experiment.labels]: values of labels that the matrix leaves open.
  std::vector<std::pair<std::string, std::string>> fill;
  std::vector<ArgumentRule> arguments;
  SourcePos pos;

  /// Profiles of each process of a run; if there are several, RUN.1.ENDING to RUN.N.ENDING.
  [[nodiscard]] std::size_t windows() const { return told_windows.value_or(1); }
};

/// The label of that name; null: the question declares none.
const LabelSpec* declared(const Question& question, std::string_view name);

/// Reads the section from the question's own file, which read_configs has validated; empty if there is none.
Result<std::optional<ExperimentSpec>> read_experiment(const Question& question);

}  // namespace assay
