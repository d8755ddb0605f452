// Which of the expected runs are there.
#pragma once

#include "catalog/catalog.hpp"

namespace assay {

/// Fills expected, present, missing and unexpected from the entries that are left. Reports of the [noise] do not count.
/// Without a [[matrix]] the runs of the question that runners wrote down are expected.
void count_expected(const Question& question, const std::vector<FoundFile>& files, QuestionCatalog& catalog);

}  // namespace assay
