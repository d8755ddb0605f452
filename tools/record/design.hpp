// Design of a recording: cells, their order, and their commands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/command.hpp"

namespace assay::record {

/// Options of the command line.
struct DesignOptions {
  std::vector<std::string> questions;                 ///< --question: ids; empty: all
  std::vector<std::string> only;                      ///< --only: "patch=8", "dim=768|1024"; combined by and
  std::vector<std::string> set;                       ///< --set: "batch=1,2,4"
  std::vector<std::string> gpus;                      ///< --gpus; empty: as in the question
  std::optional<std::size_t> replicates, most, seed;  ///< --replicates, --most, --seed
  std::optional<bool> random_order;                   ///< --order
  std::optional<double> timeout_seconds;              ///< --timeout
  bool at_once = false;                               ///< --at-once: all GPUs in parallel
};

/// A run of a question with its name in that question.
struct NamedRun {
  std::size_t question = 0;  ///< index into Design::questions
  std::string name;          ///< stem of its report
  std::string folder;        ///< below a block's folder: that of the question if there are several, "aa" for a twin
  Values labels;

  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// A combination of label values on one GPU.
struct Cell {
  NamedRun run;
  std::vector<NamedRun> also;  ///< the same run under the names of other questions
  Command command;
  std::string key;                   ///< labels without the GPU's; equal on all GPUs
  bool twin = false;                 ///< second half of the A/A pair: differs from another cell only in name
  std::size_t least = 1, most = 20;  ///< number of blocks with this cell
};

/// Cells of one GPU, in the order of the questions and their matrices, the twin last.
struct GpuCells {
  std::string gpu;  ///< empty: as in the question
  std::vector<Cell> cells;
};

struct Design {
  std::vector<const Question*> questions;
  std::vector<ExperimentSpec> experiments;  ///< of each question
  std::vector<GpuCells> gpus;               ///< used by blocks in rotation; cells have the same order on each
  std::string name;                         ///< of the recording's folder
  std::size_t configurations = 0;           ///< named runs of all questions, without the twin
  std::size_t replicates = 1, most = 20;
  std::uint64_t seed = 1;
  bool random_order = true;
  std::optional<double> timeout_seconds;  ///< per run; empty: as in its question
  bool at_once = false;                   ///< blocks of different GPUs are recorded in parallel

  [[nodiscard]] std::size_t gpus_at_once() const { return at_once ? gpus.size() : 1; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return gpus.front().cells; }
  [[nodiscard]] const ExperimentSpec& experiment(const Cell& cell) const { return experiments[cell.run.question]; }
};

/// Errors, each a sentence: a question without [experiment] or [[matrix]], a condition or override of an unknown label,
/// a label without effect, two cells with one command or one name, and errors of run_name and command_of.
Result<Design> make_design(const std::vector<Question>& questions, const DesignOptions& options);

/// Order of the cells of a block: indices into the GPU's cells, shuffled by (seed, block), or in design order. `block`
/// counts from 1; `open`: per cell, whether it takes part.
std::vector<std::size_t> order_of(const Design& design, std::size_t block, const std::vector<char>& open);

/// The label that selects the GPU, as in `gpu = "{LABEL}"`; empty: none.
std::string gpu_label(const ExperimentSpec& experiment);

/// Cells of the GPU that a block runs on.
const GpuCells& gpu_of(const Design& design, std::size_t block);

}  // namespace assay::record
