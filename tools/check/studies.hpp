// Synthetic studies: output of the analyzer for synthetic profiles, and what it consumes from others.
#pragma once

#include <memory>

#include "assay/testing/study_builder.hpp"
#include "check/subject.hpp"

namespace assay::check {

/// A study with `reports` reports that differ in the label "size" and in every other label named in the analyzer's
/// options. A judge gets one claim, if its check accepts the simplest one.
std::unique_ptr<testing::StudyBuilder> study_of(const Subject& subject, int reports);

/// A study in which the comparison of the options is possible: two runs of every combination of two values of the first
/// few labels named, everything else equal.
std::unique_ptr<testing::StudyBuilder> comparison_of(const Subject& subject);

}  // namespace assay::check
