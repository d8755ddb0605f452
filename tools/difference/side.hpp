// One side of a comparison: profiles of one program, each a repeat run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "catalog/catalog.hpp"
#include "difference/item.hpp"
#include "load/reader.hpp"
#include "result.hpp"

namespace assay::difference {

struct SidePlaces {
  std::string name;  ///< "BEFORE"
  /// Profiles, folders of them, recordings, results whose profiles still exist, and globs of those.
  std::vector<std::filesystem::path> places;
};

struct MeasureOptions {
  std::vector<std::string> step_names;  ///< with {i} for a number
  bool declared = false;                ///< by the user: a profile without such ranges is an error
  unsigned jobs = 0;                    ///< profiles read in parallel; 0: one per core
  Reader reader = Reader::kDirect;
};

/// Runs of a side, and their items as one table.
struct Side {
  std::string name;
  std::vector<RunMeasure> runs;
  std::vector<std::string> left_out;  ///< unreadable profiles, each with the reason

  std::vector<Item> items;                        ///< of all runs, sorted by key; sums over the runs
  std::vector<std::vector<std::int64_t>> wall;    ///< ns by item, then run
  std::vector<std::vector<std::int64_t>> counts;  ///< likewise
  std::vector<std::uint32_t> launches;            ///< of the first run: indices into `items`
  std::int64_t time = 0;                          ///< ns, of all steps of all runs
  std::int64_t steps = 0;

  /// Device time of kernels and graphs, ns.
  [[nodiscard]] std::int64_t device_time() const;
};

/// Reads and measures the profiles. Errors: no file, no profile, none readable, a recording of several cells.
Result<Side> measure_side(const SidePlaces& places, const MeasureOptions& options, const NameRules& classes);

/// Joins the items of the runs. Precondition: `runs` is filled.
void join_items(Side& side);

/// Of all runs.
LaunchCounts launches_of(const Side& side);

/// Whether any launch has an operator around it.
bool knows_operators(const Side& side);

/// Merges items that differ only in their operators, for a comparison with a side without operators.
void forget_operators(Side& side);

}  // namespace assay::difference
