// `[labels]` and `[[matrix]]`: how to parse names, and which runs are expected.
#pragma once

#include "config/section.hpp"

namespace assay {

LabelRules read_labels(Section& section);
/// Refuses patterns that do not parse or whose placeholders are not declared labels.
void check_patterns(const LabelRules& rules, const std::vector<std::string>& patterns, const SourcePos& pos);
std::vector<MatrixBlock> read_matrix(std::vector<Section> blocks, const LabelRules& rules);

}  // namespace assay
