// What `assay run` knows of folders that `assay record` made.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "conclude/conclude.hpp"
#include "config/question.hpp"
#include "pipeline/run_result.hpp"
#include "record/recording.hpp"

namespace assay {

/// Recordings at or below the folders: where a journal stands, sorted.
std::vector<std::filesystem::path> recordings_in(std::span<const std::filesystem::path> folders);

/// Where there are recordings every question knows the labels block, replicate and twin, which results.json gives and
/// which only describe, and leaves out what failed and what was not finished.
void declare_recorded(std::vector<Question>& questions, std::span<const std::filesystem::path> folders);
/// The same where it is known that there are recordings.
void declare_recorded(std::vector<Question>& questions);

/// What a journal says, which is the same for every question.
struct Recording {
  record::Events events;
  record::State state;
};

/// The recordings at or below the folders that were begun and can be read.
std::vector<Recording> read_recordings(std::span<const std::filesystem::path> folders);

/// How the runs were recorded, said before all else of the question: design, conditions, what came of each look, and
/// what it cost.
OwnedFinding recording_finding(const Recording& recording, const Question& question);

/// The recordings' findings before all others of each question, their doubts on its claims, and their looks on its
/// plots over blocks.
void say_recorded(const std::vector<Recording>& recordings, RunResult& run);

/// Claims that are decided although far more runs of one side were rejected than of the other become inconclusive, with
/// that reason: what is left of the side was chosen by the treatment.
void doubt_one_sided(const Recording& recording, const Question& question, std::vector<OwnedClaim>& claims);

}  // namespace assay
