// Stage 4, discover: builds a sorted catalog of files with their kinds and labels.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "catalog/file_memory.hpp"
#include "config/question.hpp"
#include "result.hpp"

namespace assay {

/// Finds the files at the places (catalog/places.hpp; recursively, never failing on a single entry), determines each
/// file's kind from its first bytes and schema, assigns files to questions and parses labels. A dangling link, an
/// unreadable file or a directory named like a report becomes a row, and so does every file that was named. Errors: a
/// place that does not exist, or no report of any kind. `looked` is called from any thread with the number of files
/// inspected; may be null. Files that `memory` knows are not opened; null: all are. Setting `stop` interrupts with an
/// error; may be null.
Result<Catalog> discover(const std::vector<Question>& questions, std::span<const std::filesystem::path> places,
                         const std::function<void(std::size_t, std::size_t)>& looked = {},
                         const FileMemory* memory = nullptr, const std::atomic<bool>* stop = nullptr);

}  // namespace assay
