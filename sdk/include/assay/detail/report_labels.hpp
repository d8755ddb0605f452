// How sentences name a report.
#pragma once

#include <cstddef>
#include <string>

#include "assay/study.hpp"
#include "assay/words.hpp"

namespace assay {

/// The file name of its path without folder and ending.
std::string report_name(const StudyView& view, std::size_t report);

/// The declared labels that it has a value for, in the order of their declaration.
LabelTexts labels_of(const StudyView& view, std::size_t report);

}  // namespace assay
