// The proposed question as a commented file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/staged_file.hpp"
#include "propose/labels.hpp"
#include "propose/ranges.hpp"
#include "runs/configurations.hpp"

namespace assay::init {

struct Proposal {
  std::filesystem::path folder;              ///< as given
  std::string kind = {};                     ///< of the profiles: "nsys", "torch", "ncu"
  bool others = false;                       ///< the folder also has profiles of other kinds, which are ignored
  bool job = false;                          ///< collectives ran: includes ranks and communication
  std::vector<std::string> reports;          ///< names below it
  std::vector<std::string> understood = {};  ///< what the files are, a table by line
  naming::NameRules names;
  Configurations configurations = {};
  std::string runs = {};                ///< "4 profiles are 2 runs of 2 ranks each"; empty: each is a run
  std::vector<Comparison> comparisons;  ///< the first is proposed, the others are added as comments
  ProposedRanges ranges;
  std::size_t ranges_read = 0;  ///< reports whose ranges were read
};

inline const files::OutputKind kProposedFile{.name = "a question that 'assay init' proposed",
                                             .begins = "# Proposed by 'assay init'"};

/// The whole file. The only path of this machine in it is the folder.
std::string toml_of(const Proposal& proposal);

/// "profiles_2024": a question id from a folder name.
std::string id_of(const std::filesystem::path& folder);

}  // namespace assay::init
