// The question that is proposed, as a commented file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/staged_file.hpp"
#include "propose/labels.hpp"
#include "propose/names.hpp"
#include "propose/ranges.hpp"

namespace assay::init {

struct Proposal {
  std::filesystem::path folder;              ///< as it was given
  std::string kind = {};                     ///< of the profiles: "nsys", "torch", "ncu"
  bool others = false;                       ///< the folder also has profiles of other kinds, which are left out
  bool job = false;                          ///< collectives ran: ranks and communication are asked too
  bool unlike = false;                       ///< profiles with the same labels ran different kernels
  std::vector<std::string> reports;          ///< names below it
  std::vector<std::string> understood = {};  ///< what the files are, a table by line
  NameRules names;
  std::vector<Comparison> comparisons;  ///< the first is asked, the others stand in comments
  ProposedRanges ranges;
  std::size_t ranges_read = 0;  ///< reports whose ranges were read
};

inline const files::OutputKind kProposedFile{.name = "a question that 'assay init' proposed",
                                             .begins = "# Proposed by 'assay init'"};

/// The whole file. It names no path of this machine but the folder.
std::string toml_of(const Proposal& proposal);

/// "profiles_2024": an id of a question, from a folder's name.
std::string id_of(const std::filesystem::path& folder);

}  // namespace assay::init
