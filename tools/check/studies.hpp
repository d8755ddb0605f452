// Synthetic studies: what an analyzer found in synthetic profiles, and what it consumes of others.
#pragma once

#include <memory>

#include "assay/testing/study_builder.hpp"
#include "check/subject.hpp"

namespace assay::check {

/// A study of `reports` reports that differ in the label "size" and in every other label that the options of the
/// analyzer name. A judge gets one claim, if its check lets the simplest one pass.
std::unique_ptr<testing::StudyBuilder> study_of(const Subject& subject, int reports);

/// A study in which what the options compare can be compared: two runs of every combination of two values of the first
/// few labels that they name, everything else equal.
std::unique_ptr<testing::StudyBuilder> comparison_of(const Subject& subject);

}  // namespace assay::check
