// NVIDIA's own programs, the only ones that read NVIDIA's report files.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "process/exit_status.hpp"
#include "result.hpp"

namespace assay::convert {

enum class Tool { kNsys, kNcu };

struct ToolWords {
  std::string_view name;     ///< "nsys", also the name of its option: --nsys
  std::string_view product;  ///< "Nsight Systems"
  std::string_view files;    ///< ".nsys-rep and .qdrep files"
  std::string_view site;     ///< where to get it
  std::string_view package;  ///< of NVIDIA's repository
};
const ToolWords& words_of(Tool tool);

struct FoundTool {
  Tool tool = Tool::kNsys;
  std::filesystem::path program;  ///< absolute
  std::string version;            ///< "2025.1.3.140"; empty if it prints none
};

/// Time limit for printing the version; from a cold network file system this takes seconds.
inline constexpr std::chrono::seconds kVersionLimit{20};

/// The program `named`, or else the first of its name in PATH, after running it with --version. Error: what was named
/// is not a program, or it does not run within `limit`, at most kVersionLimit. Without either: an empty `program`.
Result<FoundTool> find_tool(Tool tool, const std::filesystem::path& named, const std::atomic<bool>& stop,
                            std::chrono::seconds limit = kVersionLimit);

/// Error text for a missing program.
std::string not_found(Tool tool);

/// Why a run of the tool failed, as a sentence: too old for the report (with both versions if printed), ended by a
/// signal, or an exit code with its last output. Empty for exit code 0.
std::optional<std::string> failure_of(const FoundTool& tool, const process::ExitStatus& status, std::string_view said);

/// Why a run with exit code 0 produced no usable export; `problem` completes "nsys reported success and ...".
std::string empty_success(const FoundTool& tool, std::string_view problem, std::string_view said);

}  // namespace assay::convert
