// Determines which expected runs exist.
#pragma once

#include "catalog/catalog.hpp"

namespace assay {

/// Fills expected, present, missing and unexpected from the remaining entries. Reports of [noise] do not count. Without
/// a [[matrix]], the question's runs in runner files are expected.
void count_expected(const Question& question, const std::vector<FoundFile>& files, QuestionCatalog& catalog);

}  // namespace assay
