// Files next to profiles with the outcome of runs (FileKind::kSidecar): read by code outside of core.
#pragma once

#include <memory>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/file_list.hpp"

namespace assay {

/// A sidecar with profiles of a question in its folder or below.
struct SidecarSource {
  std::size_t file;  ///< index into the list
  bool own;          ///< is in a folder of the question's profiles, so all of its runs belong to the question
};

/// Reads sidecars, each once for all questions.
class SidecarReader {
 public:
  SidecarReader() = default;
  SidecarReader(const SidecarReader&) = delete;
  SidecarReader& operator=(const SidecarReader&) = delete;
  virtual ~SidecarReader() = default;

  /// Fills `runs` and `issues` of the catalog. Labels that the name of a profile lacks come from its runs; a value that
  /// contradicts the name is an issue, and the name is believed. Removes profiles of failed runs, unless the question
  /// keeps them.
  virtual void apply(const Question& question, const FileList& list, std::vector<SidecarSource> sources,
                     QuestionCatalog& catalog) = 0;
};

/// The reader that the program is linked with; null: none.
std::unique_ptr<SidecarReader> sidecar_reader();

}  // namespace assay
