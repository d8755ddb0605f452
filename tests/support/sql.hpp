// Databases made of SQL.
#pragma once

#include <filesystem>
#include <string>

namespace assay {

/// Runs statements on a database, which is made with its folders if there is none. Throws std::runtime_error.
void run_sql(const std::filesystem::path& file, const std::string& sql);

}  // namespace assay
