// Resolves the profiles of a command: every command gets them here, so that equal arguments mean equal profiles.
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
  std::string option = {};    ///< start of an error: "BEFORE", "--over"; empty: none
  bool exports_only = false;  ///< in folders, only profiles exported from a profiler's own files
  bool strict = false;        ///< a named file that is not a profile is an error; else a row with the reason
  bool any_name = false;      ///< reads labels as far as possible; refuses no file for its name
};

/// Catalog of the profiles at `places` (catalog/places.hpp) for these questions; without any, for one that reads all.
/// Errors (exit 2): a place that does not exist, no profile; with `strict`, a named file that is not a profile.
Result<Catalog> profiles_at(std::span<const std::filesystem::path> places, std::vector<Question> questions,
                            const Expectation& expected = {});

/// A profile and the files that are read with it.
struct ProfileFiles {
  FoundFile file;
  std::vector<std::filesystem::path> counters = {};  ///< files of Nsight Compute of the same run
};

/// Files of an entry.
ProfileFiles files_of(const Catalog& catalog, const CatalogEntry& entry);
/// Files of the entries of the first question, which may include unreadable ones.
std::vector<ProfileFiles> files_of(const Catalog& catalog);

/// Columns that bring up all issues of a profile: one of each table.
const std::set<ColumnId>& every_table();

/// Reads these columns. Error (exit 3): not a profile, or unreadable.
Result<Profile> read_profile(const ProfileFiles& files, const std::set<ColumnId>& columns, unsigned threads = 1);

/// A view whose iterations are its steps that are examples of all (step::steps_of); `declared`: names of ranges that
/// are steps, empty: as found.
Result<Profile::View> view_in_steps(const Profile& profile, const WindowSpec& window,
                                    const std::vector<std::string>& declared);

/// Errors (exit 2): declared iteration names that can match nothing or that the report has no range of, with the
/// nearest ones. `report` is a view with those iterations.
Status check_iterations(const Report& report, std::span<const std::string> declared);

}  // namespace assay
