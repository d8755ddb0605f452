// Options that stand beside the installed questions.
#pragma once

#include <string>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// The options of a file below share/assay/configs, "data/kernel_classes.toml"; none where it is not installed.
Result<std::vector<RawOption>> installed_options(const std::string& file);

}  // namespace assay
