// `[[join]]`: further files of the runs that reports are of.
#pragma once

#include "config/section.hpp"

namespace assay {

/// `rules` are those of the question's reports, whose labels the names of the files may carry too.
std::vector<JoinSpec> read_join_specs(std::vector<Section> sections, const LabelRules& rules);

}  // namespace assay
