// Programs run by tests: the built one, or others.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "temp_folder.hpp"

namespace assay::testing {

struct Outcome {
  int exit = -1;  ///< 128 + signal when a signal ended it
  std::string out, err;
};

struct Limits {
  std::optional<std::uint64_t> file_bytes = {};         ///< the largest file that the program may write
  std::optional<std::uint64_t> open_files = {};         ///< at a time
  std::filesystem::path program = {};                   ///< another one than the built program
  std::optional<unsigned> user = {};                    ///< as whom it runs; only root may choose
  std::map<std::string, std::string> environment = {};  ///< variables that it has besides those of the test
};

/// The program at work in `folder`, without plugins of the environment and without a result cache of its own.
/// `arguments` does not hold the program's name.
class StartedProgram {
 public:
  StartedProgram(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 const Limits& limits = {});
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Waits for its end, once.
  Outcome wait();

 private:
  TempFolder streams_;
  pid_t pid_ = -1;
};

/// Runs the program to its end.
Outcome run_assay(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                  const Limits& limits = {});

/// Runs a line of the shell likewise.
Outcome run_shell(const std::filesystem::path& folder, const std::string& line);

/// How many profiles a run with -v took from the cache, by its log; -1: it does not say.
int recalled_profiles(const std::string& log);

/// Splits at blanks; '...' keeps blanks.
std::vector<std::string> split_command(const std::string& line);

}  // namespace assay::testing
