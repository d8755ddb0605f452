// The table `runs`: what was executed once, a row per process and device, with its configuration and repeat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runs/configurations.hpp"

namespace assay {

/// A label of a name that distinguishes configurations.
struct RunLabel {
  std::string name, value;
  std::size_t order = 0;  ///< of the value among all of the label: numbers by size
};

struct RunRow {
  std::size_t file = 0;               ///< index into Catalog::files
  std::size_t run = 0;                ///< from 1
  std::string configuration;          ///< "mode=eager bs=8"; empty: names distinguish none
  std::vector<RunLabel> labels = {};  ///< of the configuration
  std::string name = {};              ///< the parts of the name with these labels: "eager_bs8"
  std::string role;                   ///< "decode"; empty: none
  std::int64_t rank = -1, world = -1;
  std::int64_t process = 0;      ///< pid; 0: not known
  std::int32_t device = -1;      ///< -1: none, or not known
  std::int64_t capture = 0;      ///< from 1; 0: the process was captured once
  std::int64_t repeat = 0;       ///< of the configuration, by time, from 1
  std::string host;              ///< empty: not known
  std::int64_t start = kNoTime;  ///< ns since 1970
  std::string evidence;          ///< why its files are one run; empty: it is one file
};

struct RunTable {
  std::vector<RunRow> rows;            ///< by run, rank, file, process, device
  std::optional<Error> choice = {};    ///< a field of the choice that the names of a tool do not have
  std::vector<std::string> sentences;  ///< what the profiles are, and what was assumed; empty: each is a run
};

/// Runs of the profiles of the first question of a catalog. A profile alone is not read to find its run; `read_alone`:
/// it is read for its process, devices and time.
RunTable run_table(const Catalog& catalog, const RunChoice& choice = {}, bool read_alone = false);

/// "4 profiles are 2 runs: 2 of 2 ranks (run at one time)"; empty if each is a run.
std::string runs_sentence(const std::vector<RunRow>& rows);

}  // namespace assay
