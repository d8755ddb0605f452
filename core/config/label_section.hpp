// `[labels]` and `[[matrix]]`: how names are read, and which runs are expected.
#pragma once

#include "config/section.hpp"

namespace assay {

LabelRules read_labels(Section& section);
std::vector<MatrixBlock> read_matrix(std::vector<Section> blocks, const LabelRules& rules);

}  // namespace assay
