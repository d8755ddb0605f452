// `[results]`: runner files.
#pragma once

#include "config/section.hpp"

namespace assay {

/// `rules` are those of the question's reports; texts of fields may contain the same labels.
RunnerSpec read_runner_spec(Section section, const LabelRules& rules);

/// Id of the sheet with the content of runner files; no [[sheet]] may use it.
inline constexpr std::string_view kRunnerSheet = "runner";

}  // namespace assay
