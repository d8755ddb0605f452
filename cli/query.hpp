// The command `query`: SQL over reports, or over the results of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/query/print.hpp"
#include "cli/sql_limits.hpp"
#include "result.hpp"

namespace assay {

struct QueryOptions {
  std::vector<std::string> arguments;  ///< reports or a folder, then perhaps the statement
  std::string sql;                     ///< --sql: the statement; empty: it is the last argument, or there is none
  std::size_t most_rows = 0;           ///< --max-rows; 0: all
  std::filesystem::path file;          ///< --file: where the statement stands; empty: nowhere
  std::filesystem::path config;        ///< --config: whose window, iterations and labels; empty: none
  std::string window;                  ///< --window: name of NVTX ranges; empty: the question's, or the whole capture
  std::string iterations;              ///< --iterations: a range name with {i}
  RowFormat format = RowFormat::kTable;
  SqlLimits limits;  ///< --timeout, --memory; the memory is also the most that the columns read may take
};

/// Runs one statement, or a prompt where there is none.
Exit run_query(const QueryOptions& options);

}  // namespace assay
