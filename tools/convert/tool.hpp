// NVIDIA's own programs, which alone can read NVIDIA's report files.
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
  std::string_view name;     ///< "nsys", which is also its option: --nsys
  std::string_view product;  ///< "Nsight Systems"
  std::string_view files;    ///< ".nsys-rep and .qdrep files"
  std::string_view site;     ///< where it is to be had
  std::string_view package;  ///< of NVIDIA's repository
};
const ToolWords& words_of(Tool tool);

struct FoundTool {
  Tool tool = Tool::kNsys;
  std::filesystem::path program;  ///< absolute
  std::string version;            ///< "2025.1.3.140"; empty when it does not say
};

/// How long a program may take to say its version: from a cold network file system some take seconds.
inline constexpr std::chrono::seconds kVersionLimit{20};

/// The program `named`, or else the first of its name in PATH, after it has answered --version. Error: what was named
/// is no program, or the program does not run within `limit`, which is at most kVersionLimit. Without a name and
/// without one in PATH: one with an empty `program`.
Result<FoundTool> find_tool(Tool tool, const std::filesystem::path& named, const std::atomic<bool>& stop,
                            std::chrono::seconds limit = kVersionLimit);

/// Says that there is none.
std::string not_found(Tool tool);

/// Why a run of the tool failed, as a sentence: too old for the report (with both versions where it told), ended by a
/// signal, an exit code with its last words. Nothing for exit code 0.
std::optional<std::string> failure_of(const FoundTool& tool, const process::ExitStatus& status, std::string_view said);

/// Why a run with exit code 0 gave no usable export; `problem` ends "nsys reported success and ...".
std::string empty_success(const FoundTool& tool, std::string_view problem, std::string_view said);

}  // namespace assay::convert
