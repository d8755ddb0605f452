// Lies planted in the names of honest runs: how many of each kind are found, and who is accused wrongly.
//
// Every lie is judged with what the program measured of the real traces, so a lie costs milliseconds. The bundled
// excerpt is sampled; ASSAY_LABEL_LIES=all plants up to 100 of each kind in each set, and the whole H200, step and DDP
// runs join where their folders are given. The table of all kinds is printed.
#include "label_lies.hpp"

#include <random>

#include "support/test.hpp"

namespace assay::label_lies_test {

using namespace testing;

using Tallies = std::map<std::string, Tally>;

constexpr std::size_t kMaxSampled = 12;  // of each kind in each set

std::string folder_of(const char* variable) {
  const char* value = real_data(variable);
  return value == nullptr ? std::string() : std::string(value);
}

bool all_lies() {
  const char* lies = std::getenv("ASSAY_LABEL_LIES");
  return lies != nullptr && std::string(lies) == "all";
}

/// Plants at most `most` of the lies, the same ones each time.
class Planter {
 public:
  Planter(const HonestRuns& honest, Tallies& tallies) : honest_(honest), tallies_(tallies) {}

  void add(const std::string& kind, Lie lie) { lies_[kind].push_back(std::move(lie)); }

  void plant_all(std::size_t most) {
    for (auto& [kind, lies] : lies_) {
      std::mt19937 random(7);
      std::shuffle(lies.begin(), lies.end(), random);
      lies.resize(std::min(lies.size(), all_lies() ? kMaxOfAll : most));
      for (const Lie& lie : lies) plant(honest_, lie, tallies_[kind]);
    }
  }

 private:
  static constexpr std::size_t kMaxOfAll = 100;
  const HonestRuns& honest_;
  Tallies& tallies_;
  std::map<std::string, std::vector<Lie>> lies_;
};

/// The values of a label among the runs.
std::set<std::string> values_of(const HonestRuns& honest, const std::string& label) {
  std::set<std::string> out;
  for (const auto& run : honest.runs) {
    if (const auto at = run.labels.find(label); at != run.labels.end()) out.insert(at->second);
  }
  return out;
}

Lie lie_of(const HonestRuns& honest, std::size_t run, const Names& changed) {
  Lie lie{true_names(honest), {run}};
  for (const auto& [label, value] : changed) lie.names[run][label] = value;
  return lie;
}

/// Every other value of every label that the name of a run states.
void one_label(Planter& planter, const HonestRuns& honest, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const std::set<std::string> values = values_of(honest, label);
    for (std::size_t r = 0; r < honest.runs.size(); ++r) {
      for (const std::string& value : values) {
        const auto own = honest.runs[r].labels.find(label);
        if (own != honest.runs[r].labels.end() && own->second != value)
          planter.add("one label: " + label, lie_of(honest, r, {{label, value}}));
      }
    }
  }
}

void two_labels(Planter& planter, const HonestRuns& honest, const std::vector<std::string>& labels) {
  for (std::size_t r = 0; r < honest.runs.size(); ++r) {
    const Names& own = honest.runs[r].labels;
    for (auto a = labels.begin(); a != labels.end(); ++a) {
      for (auto b = a + 1; b != labels.end(); ++b) {
        if (!own.contains(*a) || !own.contains(*b)) continue;
        for (const std::string& x : values_of(honest, *a)) {
          for (const std::string& y : values_of(honest, *b)) {
            if (x != own.at(*a) && y != own.at(*b))
              planter.add("two labels: " + *a + ", " + *b, lie_of(honest, r, {{*a, x}, {*b, y}}));
          }
        }
      }
    }
  }
}

bool differ(const Names& a, const Names& b, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const auto x = a.find(label), y = b.find(label);
    if ((x == a.end()) != (y == b.end()) || (x != a.end() && x->second != y->second)) return true;
  }
  return false;
}

bool is_compiled(const Names& names) {
  const auto mode = names.find("compile");
  return mode != names.end() && mode->second != "none";
}

/// Two runs under each other's names, and one run under the name of another, whose trace is absent.
void other_names(Planter& planter, const HonestRuns& honest, const std::vector<std::string>& labels) {
  for (std::size_t a = 0; a < honest.runs.size(); ++a) {
    for (std::size_t b = 0; b < honest.runs.size(); ++b) {
      const Names &own = honest.runs[a].labels, &other = honest.runs[b].labels;
      if (a == b || !differ(own, other, labels)) continue;
      Lie one{true_names(honest), {a}, {b}};
      one.names[a] = other;
      const bool both = is_compiled(own) && is_compiled(other);
      planter.add(both ? "a compiled run under another's name" : "a run under another's name", std::move(one));
      if (b < a) continue;
      Lie two{true_names(honest), {a, b}};
      std::swap(two.names[a], two.names[b]);
      planter.add("two runs under each other's names", std::move(two));
    }
  }
}

void print(const char* title, const Tallies& tallies) {
  std::printf("%-42s %7s %7s %7s %13s %11s %12s\n", title, "planted", "found", "named", "honest label", "honest run",
              "wrong value");
  for (const auto& [kind, t] : tallies) {
    std::printf("%-42s %7zu %6.1f%% %6.1f%% %13zu %11zu %12zu\n", kind.c_str(), t.planted,
                100.0 * static_cast<double>(t.found) / static_cast<double>(t.planted),
                100.0 * static_cast<double>(t.named) / static_cast<double>(t.planted), t.honest_label, t.honest_run,
                t.wrong_value);
  }
}

/// Values that a label is wrongly given, beside those that other runs have.
void other_values(Planter& planter, const HonestRuns& honest, const std::string& label,
                  const std::vector<std::string>& values) {
  for (std::size_t r = 0; r < honest.runs.size(); ++r) {
    const auto own = honest.runs[r].labels.find(label);
    if (own == honest.runs[r].labels.end()) continue;
    for (const std::string& value : values) {
      if (own->second != value) planter.add(label, lie_of(honest, r, {{label, value}}));
    }
  }
}

/// A set of runs with the rules they are judged by, and the labels in which lies are planted.
struct Set {
  const char* rules;
  std::vector<std::string> labels;
  Names also;  ///< labels that no name states, with their true values
};

const std::vector<Set> kSets = {
    {"rq1.toml", {"patch", "depth", "dim", "px", "batch"}, {{"dtype", "bf16"}, {"attention", "cudnn"}}},
    {"rq2.toml", {"patch", "depth", "dim", "px", "batch"}, {{"dtype", "bf16"}, {"attention", "cudnn"}}},
    {"rq3.toml", {"patch", "depth", "dim", "px", "batch", "compile"}, {{"dtype", "bf16"}, {"attention", "cudnn"}}},
    {"rq4.toml", {"patch", "depth", "dim", "px", "batch"}, {{"dtype", "bf16"}, {"attention", "cudnn"}}},
    {"rq5.toml",
     {"patch", "depth", "dim", "px", "batch", "mode", "preproc"},
     {{"dtype", "bf16"}, {"attention", "cudnn"}}},
};
const Set kSteps = {"step.toml", {}, {{"dtype", "bf16"}, {"attention", "math"}}};
const Set kRanks = {"ddp.toml", {}, {{"dtype", "fp32"}}};

HonestRuns taken(const Set& set, const fs::path& root) {
  Names options;
  for (const auto& [label, value] : set.also) options[label + "_label"] = label;
  HonestRuns honest =
      measured(fs::path(ASSAY_SOURCE_DIR) / "tests/plugins/label_check" / set.rules, root, set.also, options);
  for (auto& run : honest.runs) {  // what is known to be otherwise than these rules say
    if (run.path.find("many_patches") != std::string::npos) run.labels["px"] = "512";
    if (run.path.find("_flash_") != std::string::npos) run.labels["attention"] = "flash";
    run.labels.erase("memory");  // its words contradict the bound node in half of the names
  }
  return honest;
}

/// Honest runs that are accused or in conflict, with the label.
std::vector<std::string> not_believed(const HonestRuns& honest) {
  std::vector<std::string> out;
  const auto all = testing::judged(honest, true_names(honest));
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (const auto* labels : {&all[r].accused, &all[r].disputed}) {
      for (const std::string& label : *labels) out.push_back(honest.runs[r].path + " " + label);
    }
  }
  return out;
}

void plant_in(const Set& set, const HonestRuns& honest, std::size_t most, Tallies& tallies) {
  Planter planter(honest, tallies);
  one_label(planter, honest, set.labels);
  two_labels(planter, honest, set.labels);
  if (!set.labels.empty()) other_names(planter, honest, set.labels);
  // A flash attention of cuDNN is one too, and TF32 kernels multiply fp32: such names are no lies.
  other_values(planter, honest, "dtype", {"bf16", "fp16", "fp64"});
  other_values(planter, honest, "attention", {"math", "efficient"});
  planter.plant_all(most);
}

/// Judges all runs below the folder, honest and not.
void try_all(const std::vector<Set>& sets, const std::string& root, const char* title) {
  Tallies tallies;
  std::size_t runs = 0;
  for (const Set& set : sets) {
    const HonestRuns honest = taken(set, root);
    ASSERT_FALSE(honest.runs.empty()) << set.rules;
    runs += honest.runs.size();
    EXPECT_EQ(not_believed(honest), std::vector<std::string>()) << set.rules;
    plant_in(set, honest, kMaxSampled, tallies);
  }
  std::printf("%zu honest runs\n", runs);
  print(title, tallies);
  for (const auto& [kind, tally] : tallies) {
    EXPECT_EQ(tally.honest_label, 0U) << kind << ": " << tally.example;
    EXPECT_GT(tally.planted, 0U) << kind;
  }
}

TEST(LabelLies, AreFoundInTheBundledRuns) {
  const std::string root = folder_of("examples");
  if (root.empty()) GTEST_SKIP() << "ASSAY_EXAMPLES does not name the unpacked examples";
  try_all(kSets, root, "examples");
}

TEST(LabelLies, AreFoundInTheWholeRuns) {
  const std::string root = folder_of("h200");
  if (root.empty() || !all_lies()) GTEST_SKIP() << "needs ASSAY_DATA/h200 and ASSAY_LABEL_LIES=all";
  try_all(kSets, root, "h200");
}

TEST(LabelLies, AreFoundInTrainingSteps) {
  const std::string root = folder_of("step");
  if (root.empty()) GTEST_SKIP() << "ASSAY_DATA has no folder step";
  try_all({kSteps}, root, "step");
}

TEST(LabelLies, AreFoundForRanks) {
  const std::string root = folder_of("ddp");
  if (root.empty()) GTEST_SKIP() << "ASSAY_DATA has no folder ddp";
  try_all({kRanks}, root + "/nsys", "ddp");
}

}  // namespace assay::label_lies_test
