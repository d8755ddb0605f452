// The command `init`: a question about a folder of reports, proposed from their names and ranges.
#pragma once

#include <filesystem>

#include "render/rows.hpp"
#include "result.hpp"
#include "runs/configurations.hpp"

namespace assay {

struct InitOptions {
  std::filesystem::path folder;
  std::filesystem::path out;             ///< -o; empty: the folder's name with .toml, here
  bool force = false;                    ///< --force: the file may be replaced
  RunChoice choice;                      ///< --label, --repeats, --by: what names say
  bool ask = false;                      ///< --ask: what is not sure is asked on the terminal
  RowFormat format = RowFormat::kTable;  ///< --format: of the labels
};

/// Writes a question that `assay run` answers at once, and prints what was understood. Exit 2 where the folder holds no
/// report that can be read, or the file is there already.
Exit propose_question(const InitOptions& options);

}  // namespace assay
