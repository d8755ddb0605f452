// Default location of reports.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// Folders of --reports; without any, the current folder if it contains the folder named by `[reports] folder` of every
/// question. Reads no other folder.
Result<std::vector<std::filesystem::path>> report_folders(std::span<const std::filesystem::path> given,
                                                          const std::vector<Question>& questions);

/// Folders that `--convert` converts: those of --reports, or without any those that the questions name.
std::vector<std::filesystem::path> folders_to_convert(std::span<const std::filesystem::path> given,
                                                      const std::vector<Question>& questions);

}  // namespace assay
