// `[results]`: what a runner wrote about its runs.
#pragma once

#include "config/section.hpp"

namespace assay {

/// `rules` are those of the question's reports, whose labels the texts of fields may carry too.
RunnerSpec read_runner_spec(Section section, const LabelRules& rules);

/// Id of the sheet in which analyzers find what runners wrote; no [[sheet]] may have it.
inline constexpr std::string_view kRunnerSheet = "runner";

}  // namespace assay
