// Configuration mistakes that show only once plugins are loaded and names of reports are parsed; reported before the
// first report is opened.
#pragma once

#include <vector>

#include "analyze/analyze.hpp"

namespace assay {

/// One error per option that an analyzer's constructor rejects; each begins with its position in the configuration.
std::vector<Error> refused_options(const Plan& plan, const std::vector<Analyzers>& analyzers);

/// [labels] patterns that match no report. Questions may see reports of each other, so it is enough if the patterns of
/// one question match.
std::vector<Error> unfit_patterns(const Plan& plan, const Catalog& catalog);

/// Values of `base` or `treated` of an analyzer or claim that neither a profile of the question has nor the question
/// lists elsewhere: a typo would drop the comparison or make the claim untestable. Before `discover` (no questions in
/// the catalog) by the values of the matrix.
std::vector<Error> absent_values(const Plan& plan, const Catalog& catalog);

/// A window that no profile of any question has, with the nearest ranges; known once profiles are read. It is enough if
/// the window of one question is found.
std::vector<Error> absent_windows(const Plan& plan, const Catalog& catalog, const Analysis& analysis);

/// Like `absent_windows`, for the names of iterations.
std::vector<Error> absent_iterations(const Plan& plan, const Catalog& catalog, const Analysis& analysis);

/// Combines all mistakes into one error, exit 2.
Error setup_error(std::vector<Error> mistakes);

}  // namespace assay
