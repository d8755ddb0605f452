// Names reports in sentences.
#pragma once

#include <cstddef>
#include <string>

#include "assay/study.hpp"
#include "assay/words.hpp"

namespace assay {

/// File name of its path without folder and extension.
std::string report_name(const StudyView& view, std::size_t report);

/// Declared labels for which it has a value, in declaration order.
LabelTexts labels_of(const StudyView& view, std::size_t report);

}  // namespace assay
