// The question that is proposed, as a commented file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/init/labels.hpp"
#include "app/init/names.hpp"
#include "app/init/ranges.hpp"

namespace assay::init {

struct Proposal {
  std::filesystem::path folder;      ///< as it was given
  std::string only_kind = {};        ///< "nsys": reports of other kinds are there too and left out
  std::vector<std::string> reports;  ///< names below it
  NameRules names;
  std::vector<Comparison> comparisons;  ///< the first is asked, the others stand in comments
  ProposedRanges ranges;
  std::size_t ranges_read = 0;  ///< reports whose ranges were read
};

/// The whole file. It names no path of this machine but the folder.
std::string toml_of(const Proposal& proposal);

/// "profiles_2024": an id of a question, from a folder's name.
std::string id_of(const std::filesystem::path& folder);

}  // namespace assay::init
