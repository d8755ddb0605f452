// Assigns traces of captures to profiles.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/file_list.hpp"

namespace assay {

/// Captures of CUDA graphs by the folder of the profiles that replay them.
class CaptureFiles {
 public:
  /// `considered(file)`: whether the question may use a file.
  CaptureFiles(const FileList& list, const std::function<bool(std::size_t)>& considered);

  /// Whether a file is read with profiles next to it and is not a profile itself. A capture without such a profile is
  /// one.
  [[nodiscard]] bool belongs_to_another(std::size_t file) const { return claimed_[file] != 0; }

  /// Adds the captures of each entry's folder to its companions; if both state a rank, only those of the same rank.
  void join(QuestionCatalog& catalog) const;

 private:
  const FileList& list_;
  std::map<std::string, std::vector<std::size_t>> of_folder_;
  std::vector<char> claimed_;
};

}  // namespace assay
