// Which folders a question means.
#pragma once

#include <string>
#include <vector>

#include "config/question.hpp"
#include "files/walk.hpp"

namespace assay {

/// Folders of the trees whose path ends with `name` ("rq1" or "a/rq1"), absolute; empty when there is none. A tree's
/// own root counts too.
std::vector<std::string> folders_named(const std::string& name, const std::vector<Tree>& trees);

/// Where a [noise] folder is: below the trees of --reports, else beside them, else relative to the question's file,
/// else as a path of its own. Absolute; empty when it is nowhere.
std::vector<std::string> noise_folders(const std::string& name, const Question& question,
                                       const std::vector<Tree>& given);

}  // namespace assay
