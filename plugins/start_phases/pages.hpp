// The phases of the start on pages.
#pragma once

#include "assay/sdk.hpp"

namespace assay::start_phases {

/// The answer, and a table of phases on the page of each profile that begins with its process. Returns whether there is
/// one.
bool emit_pages(const StudyView& view, StudySink& sink);

}  // namespace assay::start_phases
