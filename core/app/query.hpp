// The command `query`: SQL over reports, or over the results of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/query/print.hpp"
#include "result.hpp"

namespace assay {

struct QueryOptions {
  std::vector<std::string> arguments;  ///< reports or a folder, then perhaps the statement
  std::filesystem::path file;          ///< --file: where the statement stands; empty: nowhere
  std::filesystem::path question;      ///< --question: whose window, iterations and labels; empty: none
  std::string window;                  ///< --window: name of NVTX ranges; empty: the question's, or the whole capture
  std::string iterations;              ///< --iterations: a range name with {i}
  query::Format format = query::Format::kTable;
  unsigned seconds = 300;     ///< --timeout: of one statement; 0: any
  unsigned megabytes = 8192;  ///< --memory: of columns and of SQLite, each; 0: any
};

/// Runs one statement, or a prompt where there is none.
Exit run_query(const QueryOptions& options);

}  // namespace assay
