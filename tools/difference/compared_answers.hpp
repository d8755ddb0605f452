// Compares profiles without device work, such as memory snapshots, by the findings of analyzers.
#pragma once

#include <span>

#include "difference/compare_command.hpp"
#include "difference/side.hpp"

namespace assay {

/// Whether no profile of any side is of a kind that can contain device work, so that there are no steps to compare.
/// False if a side has no profile.
bool have_no_work(std::span<const difference::SidePlaces> sides);

/// Runs commands/compare_profiles.toml on the profiles of both sides, with the side as the label `side`, and prints the
/// page of its analyzers; with `out` also writes the files of `assay run`.
Exit compare_answers(const CompareOptions& options, std::span<const difference::SidePlaces> sides);

}  // namespace assay
