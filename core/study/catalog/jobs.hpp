// Groups files into runs: the ranks of a job, companion files, and the captures of one program.
#pragma once

#include <string>
#include <string_view>

#include "catalog/file_list.hpp"

namespace assay {

/// Environment names that `find_runs` adds to a file.
inline constexpr std::string_view kJobName = "job";              ///< first file of the job of which it is a rank
inline constexpr std::string_view kCompanionName = "companion";  ///< first file of the job of which it is a companion
inline constexpr std::string_view kCaptureName = "capture";      ///< number of the capture, from 1

/// Finds the runs among the profiles of a list. Statements of files (rank, world_size) take precedence over names; a
/// name counts as a rank's only if it completes 0, 1, 2, ... with others. Ranks belong together if they are in one
/// folder, or in sibling folders with one rank each (with differing names only if they form the whole job), and if
/// their names agree in all but rank, parallel dimension (tp, pp, ...), host, process and time; if a rank has several
/// files, the n-th of each rank, by time and then path, form the n-th job. A trace that states no rank but states that
/// only the host was captured is a companion of a job next to it, not a run. A trailing ".N" that counts up from 1
/// numbers the captures of one program.
void find_runs(FileList& list);

/// Value of a property; empty if there is none.
std::string_view property_text(const FoundFile& file, std::string_view name);

/// Path for reading labels: without the capture number.
std::string named_path(const FoundFile& file);

}  // namespace assay
