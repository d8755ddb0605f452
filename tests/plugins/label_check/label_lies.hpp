// Honest runs of one question, measured once by the program, and judged again under any names.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/testing/study_builder.hpp"
#include "plugins/analyzers.hpp"

namespace assay::testing {

using Names = std::map<std::string, std::string>;  ///< value by label

/// One measured run: what its name states, which is true, and what its trace shows.
struct HonestRun {
  std::string path;
  Names labels;
  std::set<std::string> by_default;
  std::map<std::string, std::string> attributes;
  struct Fact {
    std::string metric, dims;
    double value;
  };
  std::vector<Fact> facts;
};

/// A declared label: numeric, or its values.
struct DeclaredLabel {
  std::string name;
  bool numeric = false, descriptive = false;
  std::uint32_t changes = 0;
};

struct HonestRuns {
  std::vector<DeclaredLabel> labels;
  std::vector<HonestRun> runs;
  OptionInputs rules;
};

/// Runs the program with the rules over a folder of reports and reads what it measured. Labels of `also` are declared
/// with these values, and options of `options` are set, beside what the rules say.
HonestRuns measured(const std::filesystem::path& rules, const std::filesystem::path& reports, const Names& also,
                    const Names& options);

/// What label_check says of the runs under other names.
struct LabelJudgement {
  std::set<std::string> accused, disputed;  ///< labels
  std::map<std::string, double> values;     ///< that the trace is said to show
};
std::vector<LabelJudgement> judged(const HonestRuns& honest, const std::vector<Names>& names);
/// As they are.
std::vector<Names> true_names(const HonestRuns& honest);

/// One planted lie: the names of all runs, and which runs are liars.
struct Lie {
  std::vector<Names> names;
  std::set<std::size_t> liars;
  std::set<std::size_t> absent = {};  ///< their trace is not among the reports
};

/// What came of lies of one kind.
struct Tally {
  std::size_t planted = 0;
  std::size_t found = 0;         ///< some wrong label of some liar is accused, or in conflict
  std::size_t named = 0;         ///< some wrong label is accused
  std::size_t honest_label = 0;  ///< an honest label of a liar is accused
  std::size_t honest_run = 0;    ///< another run is not believed
  std::size_t wrong_value = 0;   ///< of a wrong label another value than the true one is stated
  std::string example;           ///< the last honest label that was accused, and what the run was named
};
void plant(const HonestRuns& honest, const Lie& lie, Tally& tally);

}  // namespace assay::testing
