// What a command was given: every command gets its profiles here, so that the same arguments are the same profiles.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "config/question.hpp"
#include "load/load.hpp"
#include "result.hpp"

namespace assay {

/// What a command accepts.
struct Expectation {
  std::string option = {};    ///< begins an error: "BEFORE", "--over"; empty: nothing does
  bool exports_only = false;  ///< of what folders hold, profiles that were exported from files of the profiler's own
  bool strict = false;        ///< a file given by itself that is no profile is an error; else a row that says why
  bool any_name = false;      ///< labels as far as names say them, and none is refused for its name
};

/// The catalog of the profiles at `places` (catalog/places.hpp) for these questions; without any, for one that reads
/// all. Errors (exit 2): a place that does not exist, no profile; with `strict` a named file that is none.
Result<Catalog> profiles_at(std::span<const std::filesystem::path> places, std::vector<Question> questions,
                            const Expectation& expected = {});

/// A profile and what is read with it.
struct ProfileFiles {
  FoundFile file;
  std::vector<std::filesystem::path> counters = {};  ///< files of Nsight Compute of the same run
};

/// Those of an entry.
ProfileFiles files_of(const Catalog& catalog, const CatalogEntry& entry);
/// Those of the entries of the first question, which may be none that can be read.
std::vector<ProfileFiles> files_of(const Catalog& catalog);

/// Columns whose reading brings all issues of a profile to light: one of each table.
const std::set<ColumnId>& every_table();

/// Reads these columns. Error (exit 3): it is no profile, or nothing of it can be read.
Result<Profile> read_profile(const ProfileFiles& files, const std::set<ColumnId>& columns, unsigned threads = 1,
                             Reader reader = Reader::kDirect);

/// A view whose iterations are the declared ranges; if none is declared those of the first usual name that the profile
/// has, else its steps as step::found_steps finds them.
Result<Profile::View> view_in_steps(const Profile& profile, const WindowSpec& window,
                                    const std::vector<std::string>& declared);

/// Errors (exit 2): a declared name of iterations that can match nothing, or names that the report has no range of,
/// with the nearest ones. `report` is a view with those iterations.
Status check_iterations(const Report& report, std::span<const std::string> declared);

}  // namespace assay
