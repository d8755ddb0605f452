// `[[sheet]]`: tables beside the reports.
#pragma once

#include "config/section.hpp"

namespace assay {

/// `rules` are those of the question's reports, whose labels the names of sheets may carry too.
std::vector<SheetSpec> read_sheet_specs(std::vector<Section> sections, const LabelRules& rules);

}  // namespace assay
