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
  /// Profiles, folders of them, recordings, results whose profiles stay, and globs of such.
  std::vector<std::filesystem::path> places;
};

struct MeasureOptions {
  std::vector<std::string> step_names;  ///< {i} standing for a number
  bool declared = false;                ///< by the user: a profile without such ranges is an error
  unsigned jobs = 0;                    ///< profiles read at a time; 0: one a core
  Reader reader = Reader::kDirect;
};

/// The runs of a side, and their items as one table.
struct Side {
  std::string name;
  std::vector<RunMeasure> runs;
  std::vector<std::string> left_out;  ///< profiles that could not be read, each with the reason

  std::vector<Item> items;                        ///< of all runs, sorted by key; sums over the runs
  std::vector<std::vector<std::int64_t>> wall;    ///< by item, then run
  std::vector<std::vector<std::int64_t>> counts;  ///< likewise
  std::vector<std::uint32_t> launches;            ///< of the first run: places in `items`
  std::int64_t time = 0;                          ///< ns, of all steps of all runs
  std::int64_t steps = 0;

  /// Device time of kernels and graphs, ns.
  [[nodiscard]] std::int64_t device_time() const;
};

/// Reads and measures. Errors: nothing there, no profile in it, none that could be read, a recording of several cells.
Result<Side> measure_side(const SidePlaces& places, const MeasureOptions& options, const NameRules& classes);

/// Joins the runs' items; `runs` is filled.
void join_items(Side& side);

/// Of all runs.
LaunchCounts launches_of(const Side& side);

/// Whether a launch has an operator around it.
bool knows_operators(const Side& side);

/// Joins items that only their operators tell apart, for a comparison with a side that knows none.
void forget_operators(Side& side);

}  // namespace assay::difference
