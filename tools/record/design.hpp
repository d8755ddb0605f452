// The design of a recording: which cells, in which order, by which commands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/command.hpp"

namespace assay::record {

/// What the command line says about it.
struct DesignOptions {
  std::vector<std::string> questions;                 ///< --question: ids; empty: all
  std::vector<std::string> only;                      ///< --only: "patch=8", "dim=768|1024"; all must hold
  std::vector<std::string> set;                       ///< --set: "batch=1,2,4"
  std::vector<std::string> gpus;                      ///< --gpus; empty: as the question says
  std::optional<std::size_t> replicates, most, seed;  ///< --replicates, --most, --seed
  std::optional<bool> random_order;                   ///< --order
  std::optional<double> timeout_seconds;              ///< --timeout
  bool at_once = false;                               ///< --at-once: all GPUs at the same time
};

/// A run of a question under its name there.
struct NamedRun {
  std::size_t question = 0;  ///< index into Design::questions
  std::string name;          ///< stem of its report
  std::string folder;        ///< below a block's folder: the question's where there are several, "aa" of a twin
  Values labels;

  [[nodiscard]] std::string path() const { return folder.empty() ? name : folder + "/" + name; }
};

/// One combination of label values, on one GPU.
struct Cell {
  NamedRun run;
  std::vector<NamedRun> also;  ///< the same command under the names of other questions
  Command command;
  std::string key;                   ///< labels without the GPU's; equal on all GPUs
  bool twin = false;                 ///< the second of the A/A pair: equal to another cell in all but its name
  std::size_t least = 1, most = 20;  ///< blocks in which it takes part
};

/// Cells of one GPU, in the order of the questions and their matrices; the twin is last.
struct GpuCells {
  std::string gpu;  ///< empty: as the question says
  std::vector<Cell> cells;
};

struct Design {
  std::vector<const Question*> questions;
  std::vector<ExperimentSpec> experiments;  ///< of each question
  std::vector<GpuCells> gpus;               ///< blocks take them in turn; cells stand in equal order in each
  std::string name;                         ///< of the recording's folder
  std::size_t configurations = 0;           ///< named runs of all questions, without the twin
  std::size_t replicates = 1, most = 20;
  std::uint64_t seed = 1;
  bool random_order = true;
  std::optional<double> timeout_seconds;  ///< of every run; none: as its question says
  bool at_once = false;                   ///< blocks of different GPUs are recorded at the same time

  [[nodiscard]] std::size_t gpus_at_once() const { return at_once ? gpus.size() : 1; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return gpus.front().cells; }
  [[nodiscard]] const ExperimentSpec& experiment(const Cell& cell) const { return experiments[cell.run.question]; }
};

/// Errors, each as a sentence: a question without [experiment] or [[matrix]], a condition or an override of what is no
/// label, a label that reaches nothing, two cells with one command, two with one name, what run_name and command_of
/// refuse.
Result<Design> make_design(const std::vector<Question>& questions, const DesignOptions& options);

/// Which cells run in which order: indices into the GPU's cells, shuffled by (seed, block), or as they stand. `block`
/// is 1 or more; `open` tells by cell which take part.
std::vector<std::size_t> order_of(const Design& design, std::size_t block, const std::vector<char>& open);

/// The label that chooses the GPU, `gpu = "{LABEL}"`; empty: none does.
std::string gpu_label(const ExperimentSpec& experiment);

/// The cells of the GPU whose turn a block is.
const GpuCells& gpu_of(const Design& design, std::size_t block);

}  // namespace assay::record
