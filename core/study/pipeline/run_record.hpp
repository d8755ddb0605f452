// run.json: the data that differs between runs with equal inputs and is therefore in no output that programs compare.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace assay {

class RunRecord {
 public:
  /// Starts the clock. `command`: words of the command line, the program's name first; empty: unknown.
  RunRecord(std::vector<std::string> command, std::vector<std::filesystem::path> configs,
            std::vector<std::filesystem::path> reports);

  /// Command, folder, configurations with the XXH128 of their bytes, folders of reports, start (UTC), seconds since
  /// then, host, and versions of assay and of the analyzers that ran.
  [[nodiscard]] std::string json(const Plan& plan) const;

 private:
  std::vector<std::string> command_;
  std::vector<std::filesystem::path> configs_, reports_;
  std::chrono::system_clock::time_point start_ = std::chrono::system_clock::now();
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace assay
