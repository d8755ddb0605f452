// `assay compare FOLDER --best`: all configurations, the fastest first, with what cannot be told apart.
#pragma once

#include "difference/compare_command.hpp"
#include "difference/folder_sides.hpp"

namespace assay {

Exit rank_profiles(const CompareOptions& options, FolderSides found);

}  // namespace assay
