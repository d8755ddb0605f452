// Made-up studies: what an analyzer found in made-up reports, and what it consumes of others.
#pragma once

#include <memory>

#include "assay/testing/study_builder.hpp"
#include "check/subject.hpp"

namespace assay::check {

/// A study of `reports` reports that differ in the label "size" and in every other label that the options of the
/// analyzer name. A judge gets one claim, if its check lets the simplest one pass.
std::unique_ptr<testing::StudyBuilder> study_of(const Subject& subject, int reports);

}  // namespace assay::check
