// The recorded training steps of ASSAY_DATA/step, read and replayed: what they measured, and what is predicted from the
// base.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "algo/replay/change.hpp"
#include "whatif/run.hpp"

namespace assay::whatif {

/// A test of GoogleTest has a member of the name Run.
using ReplayedRun = Run;

/// Names of the variants and blocks: "gpubound_flash_block3".
inline constexpr int kBlocks = 5;
std::string step_file(const std::string& set, const std::string& variant, int block);

/// The folder; empty: not given.
std::string step_data();

/// Reads a file with its grids; throws std::runtime_error with the sentence where that fails.
Run read_step(const std::string& file);

/// Median length of the iterations, ms: of the recorded steps, from start to start.
double measured_ms(const Run& run);
double median_ms(std::vector<std::int64_t> lengths);

/// Launches of kernels of one name and grid, per iteration, and their device time per iteration, ns.
struct LaunchesOf {
  double count = 0, time = 0;
};
using LaunchKey = std::pair<std::string, std::string>;  ///< name, "x,y,z"
std::map<LaunchKey, LaunchesOf> launches(const Run& run);

/// The kernels of `base` that `other` launches unequally often, as a selection, and how much device time `other` takes
/// for what it has in their place, as a share of theirs.
struct KernelSwap {
  replay::Selection what;
  double factor = 1;
};
KernelSwap swapped_kernels(const Run& base, const Run& other);

/// Mean and its standard error.
struct Mean {
  double value = 0, error = 0;
};
Mean mean_of(const std::vector<double>& values);

}  // namespace assay::whatif
