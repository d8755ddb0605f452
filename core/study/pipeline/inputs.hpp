// Where reports come from when the command line does not say.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// The folders of --reports; without any the current folder, provided that it holds the folder that every question's
/// `[reports] folder` names. Reading whatever happens to lie about is never the default.
Result<std::vector<std::filesystem::path>> report_folders(std::span<const std::filesystem::path> given,
                                                          const std::vector<Question>& questions);

/// Of these, what `--convert` converts: the folders of --reports, or without any the folders that the questions name.
std::vector<std::filesystem::path> folders_to_convert(std::span<const std::filesystem::path> given,
                                                      const std::vector<Question>& questions);

}  // namespace assay
