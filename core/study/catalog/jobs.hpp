// Which files are one run: the ranks of a job, what lies beside them, and the captures of one program.
#pragma once

#include <string>
#include <string_view>

#include "catalog/file_list.hpp"

namespace assay {

/// Names of what `find_runs` adds to the environment of a file.
inline constexpr std::string_view kJobName = "job";              ///< first file of the job that it is a rank of
inline constexpr std::string_view kCompanionName = "companion";  ///< first file of the job that it lies beside
inline constexpr std::string_view kCaptureName = "capture";      ///< number of the capture, from 1

/// Finds the runs among the profiles of a list. What files state (rank, world_size) comes before what their names say;
/// a name counts as that of a rank only where it makes up 0, 1, 2, ... with others. Ranks belong together if they lie
/// in one folder, or in sibling folders of one rank each (of unlike names only if they are the whole job), and their
/// names agree in all but rank, parallel dimension (tp, pp, ...), host, process and time; of several files of one rank,
/// by time and then path, the n-th of each makes the n-th job. A trace that states no rank, and that it captured the
/// host alone, is the companion of a job beside it: a run of nothing. A trailing ".N" that counts up from 1 numbers the
/// captures of one program.
void find_runs(FileList& list);

/// The value of a name; empty: there is none.
std::string_view property_text(const FoundFile& file, std::string_view name);

/// The path that labels are read from: without the number of the capture.
std::string named_path(const FoundFile& file);

}  // namespace assay
