// Finds reports of several devices, drivers or tools in one study, which are kept apart and reported.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// Reports by the value of one Environment name; the empty text has those without a value.
using SaidBy = std::map<std::string, std::vector<std::size_t>, std::less<>>;  ///< indices into the results

/// Values of a name in the reports that were read, of the question and of [noise].
SaidBy labels_under(std::string_view name, const std::vector<ReportResult>& reports);

/// Built-in labels of a question's study, in the order of kBuiltInLabels: those that the question mentions, and those
/// in which its reports differ. Not if [question] across lists the label, or if the device itself is compared, since
/// another device implies another clock and driver.
std::vector<std::string_view> built_in_labels_of(const PlannedQuestion& planned,
                                                 const std::vector<ReportResult>& reports);

/// A finding for every name in which reports differ, to be shown before all others.
std::vector<OwnedFinding> mixtures(const AnalyzedQuestion& question);

/// A note on the profiles whose device work contradicts itself in more than 1 % of its time; none: there is none.
std::vector<OwnedFinding> damaged_profiles(const AnalyzedQuestion& question);

}  // namespace assay
