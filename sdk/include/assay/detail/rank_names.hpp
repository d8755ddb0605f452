// The rank that a file's name gives, beside the one that the file itself states.
#pragma once

#include <cstddef>
#include <string>

#include "assay/study.hpp"

namespace assay {

/// The rank that the rank label of a report gives; empty where there is none. By it reports are sorted into jobs, so
/// that one rank under two names is seen.
std::string named_rank(const StudyView& view, std::size_t report);

/// Whether a report's name gives another number than the file itself (RANK, distributedInfo). The file is right; the
/// job cannot be judged, since somebody mixed up its files.
bool rank_conflicts(const StudyView& view, std::size_t report);

}  // namespace assay
