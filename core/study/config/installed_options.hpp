// Option files next to the installed questions.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// Options of a file below share/assay/configs, such as "data/kernel_classes.toml"; empty if it is not installed.
Result<std::vector<RawOption>> installed_options(const std::string& file);

/// Installed rules that classify kernels; without them every kernel is unknown.
NameRules installed_kernel_rules();

}  // namespace assay
