// Changes that somebody has looked at and accepted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result.hpp"

namespace assay {

/// One [[accepted]] of the file. Empty globs fit everything.
struct AcceptedChange {
  std::string question, metric, cell;  ///< globs
  std::string at;                      ///< name of a result within the interval of the change
  std::string reason;
};

/// Error (exit 2): begins with file:line:column; a key that is not known, or no `at`.
Result<std::vector<AcceptedChange>> read_accepted(const std::filesystem::path& file);

}  // namespace assay
