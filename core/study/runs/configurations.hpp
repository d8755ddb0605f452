// Which labels of names distinguish configurations, and which count repeats of one, by what the profiles hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "runs/choice.hpp"
#include "runs/names.hpp"

namespace assay {

/// One profile of names to be understood.
struct NamedProfile {
  std::size_t run = 0;   ///< number of its run
  std::size_t side = 0;  ///< of a comparison: names and programs are compared within one
  std::int64_t rank = -1;
  const RunFacts* facts = nullptr;
};

/// The profiles of a catalog, in the given order, with the numbers of their runs from `first` on.
std::vector<NamedProfile> named_profiles(const Catalog& catalog, const std::vector<const FoundFile*>& files,
                                         std::size_t first = 0, std::size_t side = 0);

/// Profiles of the first question of a catalog, without counters, by what wrote them.
using ProfilesByTool = std::map<std::string_view, std::vector<const FoundFile*>>;
ProfilesByTool profiles_by_tool(const Catalog& catalog);

/// A program per run: equal numbers for runs whose profiles have at least kSameProgram of their kernel time in equal
/// (name, grid), rank by rank; kUnknownProgram where no kernels are known.
inline constexpr std::size_t kUnknownProgram = SIZE_MAX;
std::vector<std::size_t> programs_of(const std::vector<NamedProfile>& profiles);

/// Error (exit 2) naming two of these profiles, of one tool, that ran different programs; `files` are theirs.
Status check_one_program(const std::vector<NamedProfile>& profiles, const std::vector<const FoundFile*>& files);

/// Error (exit 2) naming two runs of the first question of a catalog that ran different programs: a mean over them is
/// of nothing.
Status check_one_program(const Catalog& catalog);

/// What the names were understood to say.
struct Configurations {
  std::vector<std::string> assumed;  ///< "5 repeats of one program (prof_{n}: equal kernels)", with what says otherwise
  bool unlike = false;  ///< runs of equal labels ran different programs, and no field of their names tells them apart
};

/// Decides each label of `rules` (docs/runs.md): letters are labels; times never are; a number is one if other programs
/// go with it, else by its word. Labels that vary within a run, or follow another label, are none.
Configurations judge_names(naming::NameRules& rules, const std::vector<NamedProfile>& profiles,
                           const RunChoice& choice = {});

}  // namespace assay
