// The rank in a file's name, as opposed to the one stated in the file.
#pragma once

#include <cstddef>
#include <string>

#include "assay/study.hpp"

namespace assay {

/// Rank according to the rank label of a report; empty if there is none. Reports are sorted into jobs by it, so that
/// one rank under two names is noticed.
std::string named_rank(const StudyView& view, std::size_t report);

/// Whether a report's name has another rank than the file itself (RANK, distributedInfo). The file is right; the job
/// cannot be judged, since its files were mixed up.
bool rank_conflicts(const StudyView& view, std::size_t report);

}  // namespace assay
