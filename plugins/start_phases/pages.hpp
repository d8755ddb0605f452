// The phases of the start on pages.
#pragma once

#include "assay/sdk.hpp"

namespace assay::start_phases {

/// The answer, and a table of phases on the page of each profile that begins with its process. `leads`: they have the
/// headlines, and profiles that show no start say why; else only profiles whose start is most of them have a section.
/// Returns whether there is a start.
bool emit_pages(const StudyView& view, bool leads, StudySink& sink);

}  // namespace assay::start_phases
