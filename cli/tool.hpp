// What a tool is to the program: a folder of tools/ that adds commands, and what commands of the host take from it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "config/question.hpp"
#include "pipeline/run_result.hpp"
#include "result.hpp"

namespace assay {

struct RunOptions;
struct PlanOptions;
class MachineReport;

/// What a tool knows of runs that the pipeline does not. None is null.
struct RunHooks {
  /// Before the questions are planned: what all of them know where these folders hold what the tool made.
  void (*declare)(std::vector<Question>& questions, std::span<const std::filesystem::path> folders);
  /// Whether a run over these folders does more than write and print its result, so that an earlier one cannot stand
  /// for it.
  bool (*acts_beside)(std::span<const std::filesystem::path> folders);
  /// When there are answers, before they are written.
  void (*remark)(std::span<const std::filesystem::path> folders, RunResult& run);
  /// When they are written. Error: ends the run.
  Status (*keep)(const RunResult& run, std::span<const std::filesystem::path> folders);
};

/// One that `assay schema NAME` prints.
struct ToolSchema {
  const char* name = nullptr;
  const char* what = nullptr;               ///< of what it is one
  Result<std::string> (*make)() = nullptr;  ///< its JSON; null: the tool has none
};

/// One folder of tools/.
struct Tool {
  const char* name;
  std::vector<Command> commands = {};
  /// `concluding`: options that an option with which the run concludes nothing excludes.
  void (*add_run_options)(CLI::App& run, RunOptions& to, std::span<CLI::Option* const> concluding) = nullptr;
  void (*add_plan_options)(CLI::App& plan, PlanOptions& to) = nullptr;
  void (*describe_machine)(MachineReport& to) = nullptr;  ///< rows of `assay doctor`
  const RunHooks* runs = nullptr;
  ToolSchema schema = {};
};

/// In the order of tools/CMakeLists.txt, which makes this function.
std::span<const Tool* const> linked_tools();

/// Commands of the tools that this build leaves out (ASSAY_TOOLS); made by the same file.
std::span<const std::string_view> left_out_commands();

}  // namespace assay
