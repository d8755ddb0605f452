// A recording on disk: its folder, and the work done according to its journal.
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

/// ROOT/NAME/DATE/TIME, locked by this process.
struct Folder {
  std::filesystem::path path;
  files::Descriptor lock;  ///< of ROOT/NAME: one recorder per study at a time
  bool fresh = true;       ///< just created; false: has a journal to continue
};

/// The newest recording of that name, or with `fresh` (or without one) a new one. Error: another recorder is running,
/// or the folder cannot be created.
Result<Folder> choose_folder(const std::filesystem::path& root, const std::string& name, bool fresh);

/// The newest recording of that name; empty: there is none.
std::filesystem::path newest_recording(const std::filesystem::path& root, const std::string& name);

/// ROOT of a recording at ROOT/NAME/DATE/TIME; its parent folder if it was moved.
std::filesystem::path root_of(const std::filesystem::path& recording);

/// State of one run.
struct RunRecord {
  std::string id;  ///< "block_001/NAME"
  std::size_t block = 0, position = 0;
  std::string key;                 ///< of its cell
  std::size_t attempts = 0;        ///< started ones
  std::size_t counted = 0;         ///< attempts that ended by themselves and use up retries
  std::optional<Outcome> outcome;  ///< of the last attempt; empty: it was interrupted
  double seconds = 0;

  [[nodiscard]] bool is_final(std::size_t retries) const {
    return outcome && (*outcome == Outcome::kOk || counted > retries);
  }
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
  std::vector<std::string> warmed;             ///< keys of cells with finished warm-up runs in this epoch
  std::map<std::string, std::string> stopped;  ///< keys of contradicted cells in this epoch, with the reason
  std::map<std::string, std::size_t> steps;    ///< by question: what a pilot run chose in this epoch
  std::vector<event::LookTaken> looks;
  std::size_t resumed = 0, cut_off = 0;
  double gpu_seconds = 0;  ///< of all runs so far
};

State state_of(const Events& events);

}  // namespace assay::record
