// Sets the operators of kernels of CUDA graphs from their capture, which is in another file: a replay launches the
// kernels of a capture in capture order.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "load/store.hpp"
#include "load/wanted.hpp"

namespace assay::load {

/// Table of a format that reads captures: `time`, `call` (row of calls), `kernel` and `capture` of each launching call
/// without a kernel of its own that names one or is inside a stream capture, by time.
inline constexpr std::string_view kCapturedLaunches = "captured_launches";

/// A file with captures, or a run of the same program without graphs, loaded with `capture_columns()`.
struct CaptureFile {
  std::string name;  ///< for issues
  std::unique_ptr<Profile::Store> store;
};

/// Adds the columns that a profile needs to be joined with captures.
std::set<ColumnId> with_replay_columns(std::set<ColumnId> wanted);
std::set<ColumnId> capture_columns(const std::set<ColumnId>& wanted);

/// Whether a profile has kernels launched by graphs, and whether it contains the begin of a stream capture.
bool has_replays(const Profile::Store& store);
bool has_captures(const Profile::Store& store);

/// Adds an issue if kernels of graphs have no operator except the one that launches the graph. For stores with replays.
void note_missing_captures(Profile::Store& store);

/// Sets `kernels.op` of graph launches whose kernels equal those of a capture in order and name, and adds the operators
/// of the capture to `ops`: as rows of length 0 at the launch, below the launching operator. A launch that no capture
/// fits exactly, or several different ones fit, is left unchanged; issues state how many fit, and why the others do
/// not.
void join_captures(Profile::Store& store, std::span<const CaptureFile> files);

}  // namespace assay::load
