// What `assay run` knows about folders written by `assay record`.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "conclude/conclude.hpp"
#include "config/question.hpp"
#include "pipeline/run_result.hpp"
#include "record/recording.hpp"

namespace assay {

/// Recordings at or below the folders, recognized by their journal; sorted.
std::vector<std::filesystem::path> recordings_in(std::span<const std::filesystem::path> folders);

/// If there are recordings, adds the descriptive labels block, replicate and twin from results.json to every question,
/// which then leaves out failed and unfinished runs.
void declare_recorded(std::vector<Question>& questions, std::span<const std::filesystem::path> folders);
/// Like declare_recorded above, if it is known that there are recordings.
void declare_recorded(std::vector<Question>& questions);

/// Content of a journal, independent of the question.
struct Recording {
  record::Events events;
  record::State state;
};

/// Started and readable recordings at or below the folders.
std::vector<Recording> read_recordings(std::span<const std::filesystem::path> folders);

/// First finding of a question: how its runs were recorded (design, conditions, result of each interim look, cost).
OwnedFinding recording_finding(const Recording& recording, const Question& question);

/// Before all other findings of each question those of its recordings, their doubts on its claims, and their looks on
/// its plots over blocks. A recording that names none of the questions is taken for one of each.
void prepend_recordings(const std::vector<Recording>& recordings, RunResult& run);

/// Makes decided claims inconclusive if far more runs were rejected on one side: the rest of that side was selected by
/// the treatment.
void doubt_one_sided(const Recording& recording, const Question& question, std::vector<OwnedClaim>& claims);

}  // namespace assay
