// Profiles that hold no device work, such as memory snapshots: what analyzers say of both sides.
#pragma once

#include <span>

#include "difference/compare_command.hpp"
#include "difference/side.hpp"

namespace assay {

/// Whether no profile of any side is of a kind that can hold device work, so that there are no steps to compare. False
/// if a side has no profile.
bool have_no_work(std::span<const difference::SidePlaces> sides);

/// Asks commands/compare_profiles.toml of the profiles of both sides, each with its side as the label `side`, and
/// prints the page that its analyzers lay out; with `out` writes the files of `assay run` too.
Exit compare_answers(const CompareOptions& options, std::span<const difference::SidePlaces> sides);

}  // namespace assay
