// results.sqlite: the result of a run as a database.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/render.hpp"

namespace assay {

/// Writes the database to `file`, which must not exist. `written`: names of all outputs of this run, for its table
/// `files`.
Status results_sqlite(const RunResult& run, const FactRows& facts, const std::vector<std::string>& written,
                      const std::filesystem::path& file);

/// Table `files` of an earlier run's database; empty if there is none or it cannot be read.
std::vector<std::string> files_of_earlier_run(const std::filesystem::path& results_sqlite);
/// Like files_of_earlier_run, for the ids of its questions or analyzers; `item`: "question" or "analyzer".
std::vector<std::string> names_of_earlier_run(const std::filesystem::path& results_sqlite, const std::string& item);

}  // namespace assay
