// Options that stand beside the installed questions.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// The options of a file below share/assay/configs, "data/kernel_classes.toml"; none where it is not installed.
Result<std::vector<RawOption>> installed_options(const std::string& file);

/// The installed rules that tell classes of kernels; where there are none every kernel is unknown.
NameRules installed_kernel_rules();

/// What ranges of steps are usually called, {i} standing for a number, by the installed list.
std::vector<std::string> installed_step_names();

}  // namespace assay
