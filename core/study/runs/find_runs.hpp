// Groups the files of a list into runs, and marks each file with its place in one.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "catalog/file_list.hpp"
#include "runs/partition.hpp"

namespace assay {

/// Environment names that `find_runs` adds to a file.
inline constexpr std::string_view kJobName = "job";  ///< first file of its run, of several files (kJobAttribute)
inline constexpr std::string_view kCompanionName = "companion";  ///< first file of the run that it belongs to unread
inline constexpr std::string_view kCaptureName = "capture";      ///< number of the capture, from 1 (kCaptureAttribute)
inline constexpr std::string_view kEvidenceName = "one_run";     ///< why its files are one run

/// Finds the runs among the profiles of a list (docs/runs.md): what the files say decides, names where nothing else
/// does. Reads the profiles if there are several, but those whose
/// facts `memory` knows. A trace that states that only the host was captured is a companion
/// of the run at its time, not a run. A trailing ".N" that counts up from 1 numbers the captures of one program.
/// Returns the facts of each file, without any for files that were not read.
std::vector<RunFacts> find_runs(FileList& list, const FileMemory* memory = nullptr,
                                const std::atomic<bool>* stop = nullptr);

/// Notes of a question where a run is not one profile or the ranks of a job.
void add_run_notes(const std::vector<FoundFile>& files, QuestionCatalog& catalog);

/// Path for reading labels: without the capture number.
std::string named_path(const FoundFile& file);

}  // namespace assay
