// A recording on the disk: its folder, and what its journal says has been done.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/recorded_run.hpp"
#include "files/descriptor.hpp"
#include "record/design.hpp"
#include "record/failure.hpp"
#include "record/journal.hpp"
#include "record/preflight.hpp"

namespace assay::record {

/// ROOT/NAME/DATE/TIME, held by this process alone.
struct Folder {
  std::filesystem::path path;
  files::Descriptor lock;  ///< of ROOT/NAME: one recorder of a study at a time
  bool fresh = true;       ///< just made; false: it has a journal to go on with
};

/// The newest recording of that name, or with `fresh` (or without one) a new one. Error: another recorder is at work,
/// or the folder cannot be made.
Result<Folder> choose_folder(const std::filesystem::path& root, const std::string& name, bool fresh);

/// The newest recording of that name; empty: there is none.
std::filesystem::path newest_recording(const std::filesystem::path& root, const std::string& name);

/// ROOT of a recording at ROOT/NAME/DATE/TIME; of one that was moved elsewhere the folder that holds it.
std::filesystem::path root_of(const std::filesystem::path& recording);

/// What became of one run so far.
struct RunRecord {
  std::string id;  ///< "block_001/NAME"
  std::size_t block = 0, position = 0;
  std::string key;                 ///< of its cell
  std::size_t attempts = 0;        ///< started ones
  std::size_t counted = 0;         ///< of them, those that ended by themselves: they use up retries
  std::optional<Outcome> outcome;  ///< of the last one; none: it was cut off
  double seconds = 0;
};

struct BlockRecord {
  std::size_t epoch = 1;
  std::vector<std::string> order;  ///< keys of its cells
};

/// The journal, read.
struct State {
  Identity identity;                            ///< of the current epoch
  std::map<std::string, std::string> commands;  ///< by the cell's key
  std::size_t epoch = 0;                        ///< 0: nothing has begun
  std::map<std::size_t, BlockRecord> blocks;
  std::map<std::string, RunRecord> runs;       ///< by id
  std::vector<std::string> warmed;             ///< keys of cells whose warm-up runs are done, in this epoch
  std::map<std::string, std::string> stopped;  ///< keys of cells that are contradicted, in this epoch, with the reason
  std::vector<event::Look> looks;
  std::string reports = kRecordedReports;  ///< folder of its profiles, as what is recorded lies there
  std::size_t resumed = 0, cut_off = 0;
  double gpu_seconds = 0;  ///< of all runs so far
};

State state_of(const Events& events);

/// In what a recording would go on otherwise than it was begun: a command, a cell, the driver, ...; empty: in nothing.
std::string what_differs(const State& state, const Identity& now, const std::map<std::string, std::string>& commands);

/// results.json, experiment_summary.json and conditions.csv, made anew from the journal. Error (exit 3).
Status write_outputs(const std::filesystem::path& folder, const Events& events, const std::string& name);

/// What a runner's fields hold of a run: gpu_id, numa_node, vit_config, ... as the question's labels declare them.
Json fields_of(const Question& question, const NamedRun& run);

}  // namespace assay::record
