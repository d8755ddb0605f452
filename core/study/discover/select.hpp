// Resolves the folders of a question.
#pragma once

#include <string>
#include <vector>

#include "config/question.hpp"
#include "files/walk.hpp"

namespace assay {

/// Absolute folders of the trees whose path ends with `name` ("rq1" or "a/rq1"), including roots; empty if there is
/// none.
std::vector<std::string> folders_named(const std::string& name, const std::vector<Tree>& trees);

/// Absolute location of a [noise] folder: below the trees of --reports, else next to them, else relative to the
/// question's file, else as an absolute path. Empty if it does not exist.
std::vector<std::string> noise_folders(const std::string& name, const Question& question,
                                       const std::vector<Tree>& given);

}  // namespace assay
