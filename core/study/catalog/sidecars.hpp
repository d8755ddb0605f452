// Files beside profiles that say how runs went (FileKind::kSidecar): read by code outside of core.
#pragma once

#include <memory>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/file_list.hpp"

namespace assay {

/// One that speaks of profiles of a question: they lie in its folder or below.
struct SidecarSource {
  std::size_t file;  ///< index into the list
  bool own;          ///< itself lies where the question's profiles are, so all of its runs belong to the question
};

/// Reads them, each once for all questions.
class SidecarReader {
 public:
  SidecarReader() = default;
  SidecarReader(const SidecarReader&) = delete;
  SidecarReader& operator=(const SidecarReader&) = delete;
  virtual ~SidecarReader() = default;

  /// Fills `runs`, and `issues` with what is to be said. Labels that the name of a profile does not give are taken from
  /// its runs; what contradicts the name is an issue and the name is believed. Profiles of failed runs are taken out,
  /// unless the question keeps them.
  virtual void apply(const Question& question, const FileList& list, std::vector<SidecarSource> sources,
                     QuestionCatalog& catalog) = 0;
};

/// That of the program, which its build links in; null: left out.
std::unique_ptr<SidecarReader> sidecar_reader();

}  // namespace assay
