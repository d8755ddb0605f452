// Reports of several devices, drivers or tools in one study: kept apart, and said.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// Reports by what they say under one name of Environment; an empty text are those that do not say it.
using SaidBy = std::map<std::string, std::vector<std::size_t>, std::less<>>;  ///< indices into the results

/// What is said under a name by the reports that were read, of the question and of [noise].
SaidBy labels_under(std::string_view name, const std::vector<ReportResult>& reports);

/// The built-in labels that the study of a question has, in the order of kBuiltInLabels: those that the question names,
/// and those in which its reports differ. Not where [question] across names it, or where the device itself is compared:
/// another device has another clock, and its machine another driver.
std::vector<std::string_view> built_in_labels_of(const PlannedQuestion& planned,
                                                 const std::vector<ReportResult>& reports);

/// A finding for every name under which reports say different things; it is to be said before all others.
std::vector<OwnedFinding> mixtures(const AnalyzedQuestion& question);

}  // namespace assay
