// Mistakes in the setup that show only once plugins are loaded and names of reports are read: said before the first
// report is opened.
#pragma once

#include <vector>

#include "analyze/analyze.hpp"

namespace assay {

/// One error per mistake, each beginning with the place in its configuration: options that an analyzer's constructor
/// refuses.
std::vector<Error> refused_options(const Plan& plan, const std::vector<Analyzers>& analyzers);

/// [labels] patterns that fit no name of any report. Of several questions, which may each see reports of the others,
/// one whose patterns fit is enough.
std::vector<Error> unfit_patterns(const Plan& plan, const Catalog& catalog);

/// Values that `base` or `treated` of an analyzer or a claim names, and that neither a profile of the question has nor
/// the question itself lists elsewhere: a typo would leave the comparison out, or the claim untestable.
std::vector<Error> absent_values(const Plan& plan, const Catalog& catalog);

/// A window that no profile of any question has, with the nearest ranges: known once profiles are read. Of several
/// questions one whose window is found is enough.
std::vector<Error> absent_windows(const Plan& plan, const Catalog& catalog, const Analysis& analysis);

/// Like `absent_windows`, for the names of iterations.
std::vector<Error> absent_iterations(const Plan& plan, const Catalog& catalog, const Analysis& analysis);

/// All of them as one block, exit 2.
Error setup_error(std::vector<Error> mistakes);

}  // namespace assay
