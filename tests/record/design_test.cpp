// From [experiment] and labels to names, commands and their order, and every sentence that refuses a plan.
#include "record/design.hpp"

#include "catalog/catalog.hpp"
#include "config/config.hpp"
#include "support/test.hpp"

namespace assay::record::design_test {

constexpr const char* kQuestion = R"(
[question]
id = "q"
[labels]
patterns = ["vit{patch}x{dim}"]
patch = { type = "int" }
dim = { type = "int" }
batch = { type = "int", default = 8 }
mode = { values = ["none", "fast"], default = "none" }
note = { values = ["a", "b"], descriptive = true }
[[labels.suffix]]
match = "_plain"
set = { mode = "none" }
[[labels.suffix]]
match = "_{mode}"
[[labels.suffix]]
match = "_batch{batch}"
[[labels.suffix]]
match = "_note_{note}"
)";

constexpr const char* kMatrix = R"(
[[matrix]]
patch = [8, 16]
dim = 384
mode = ["none", "fast"]
)";

constexpr const char* kExperiment = R"(
[experiment]
command = ["prog", "--p={patch}", "{dim}", "{batch}", "{mode}", "{note}"]
profiler = "none"
[experiment.arguments]
mode = { none = [], "*" = ["--mode", "{mode}"] }
note = { "*" = [] }
)";

std::string whole(const std::string& experiment = kExperiment, const std::string& matrix = kMatrix) {
  return std::string(kQuestion) + matrix + experiment;
}

/// The design of one question, or the sentence that refuses it.
struct DesignCase {
  explicit DesignCase(const std::string& toml, const DesignOptions& options = {})
      : file(folder.write("question.toml", toml)), questions(read(file)), design(make_design(questions, options)) {}
  static std::vector<Question> read(const std::filesystem::path& file) {
    const std::filesystem::path files[] = {file};
    auto questions = read_configs(files);
    if (!questions) throw std::runtime_error(questions.error().sentence);
    return *std::move(questions);
  }
  TempFolder folder;
  std::filesystem::path file;
  std::vector<Question> questions;
  Result<Design> design;

  [[nodiscard]] std::string error() const { return design ? "" : design.error().sentence; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Cell& cell : design->cells()) names.push_back(cell.run.path());
    return names;
  }
  [[nodiscard]] std::string command(std::size_t cell) const { return quoted(design->cells()[cell].command.words); }
};

std::string refusal(const std::string& toml) {
  try {
    return DesignCase(toml).error();
  } catch (const std::runtime_error& refused) {
    return refused.what();
  }
}

TEST(Design, NamesAreWrittenByThePatternsBackwardsAndReadAgain) {
  const DesignCase d(whole());
  ASSERT_EQ(d.error(), "");
  EXPECT_TRUE(
      equals(d.names(), {"vit8x384_plain", "vit8x384_fast", "vit16x384_plain", "vit16x384_fast", "aa/vit8x384_plain"}))
      << "the word for the default is said where the matrix names the label; the twin of the A/A pair is last";
  for (const Cell& cell : d.design->cells()) {
    const ParsedName parsed = parse_name(d.questions[0].labels, cell.run.name + ".sqlite");
    EXPECT_TRUE(parsed.problems.empty()) << cell.run.name;
    EXPECT_EQ(parsed.labels.size(), 4U) << "all labels but the note, which has no value";
  }
  EXPECT_EQ(d.design->configurations, 4U);
}

TEST(Design, CommandsAreMadeFromLabelsAndLabelsWithoutValueVanish) {
  const DesignCase d(whole());
  ASSERT_EQ(d.error(), "");
  EXPECT_EQ(d.command(0), "prog --p=8 384 8");
  EXPECT_EQ(d.command(1), "prog --p=8 384 8 --mode fast");
  EXPECT_EQ(quoted({"a b", "c'd", ""}), "'a b' 'c'\\''d' ''");
}

TEST(Design, ProfilerBindingAndPlaceStandInTheCommand) {
  const std::string experiment =
      "[experiment]\ncommand = [\"prog\", \"{patch}\", \"{dim}\", \"{mode}\", \"{report}\"]\n"
      "options = [\"-t\", \"cuda\"]\nbind = { cpus = \"0\", memory = \"0\" }\ngpu = \"3\"\nenv = { A = \"{patch}\" }\n"
      "launcher = [\"srun\"]\n";
  const DesignCase d(whole(experiment));
  ASSERT_EQ(d.error(), "");
  const Command command = placed(d.design->cells()[0].command, {"/x/R", "block_001/R", 1});
  EXPECT_EQ(quoted(command.words),
            "srun numactl --cpunodebind=0 --membind=0 nsys profile -o /x/R -t cuda prog 8 384 none /x/R");
  EXPECT_EQ(quoted(command.bare), "srun numactl --cpunodebind=0 --membind=0 prog 8 384 none /x/R");
  EXPECT_TRUE(equals(command.env, {std::pair("A", "8"), std::pair("CUDA_VISIBLE_DEVICES", "3")}));
}

TEST(Design, OnlyChoosesRunsAndSetMakesFurtherOnes) {
  DesignOptions options;
  options.only = {"patch=8", "mode=fast|none"};
  options.set = {"batch=1,2,8"};
  const DesignCase d(whole(), options);
  ASSERT_EQ(d.error(), "");
  EXPECT_TRUE(
      equals(d.names(), {"vit8x384_plain_batch1", "vit8x384_plain_batch2", "vit8x384_plain", "vit8x384_fast_batch1",
                         "vit8x384_fast_batch2", "vit8x384_fast", "aa/vit8x384_plain_batch1"}));
  EXPECT_TRUE(contains(d.command(3), "384 1 --mode fast"));
}

TEST(Design, EachBlockHasAnOrderOfItsOwnThatTheSeedGives) {
  const DesignCase d(whole());
  const std::vector<char> all(5, 1);
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t block = 1; block <= 20; ++block) {
    const auto order = order_of(*d.design, block, all);
    EXPECT_EQ(order, order_of(*d.design, block, all));
    EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 5U);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10U);
  DesignOptions options;
  options.random_order = false;
  EXPECT_TRUE(equals(order_of(*DesignCase(whole(), options).design, 2, {1, 0, 1, 1, 1}), {0, 2, 3, 4}));
}

TEST(Design, BlocksTakeTheGpusInTurnAndNamesSayWhich) {
  std::string toml = whole(std::string(kExperiment));
  toml.replace(toml.find("vit{patch}"), 10, "gpu{gpu}_vit{patch}");
  toml.replace(toml.find("patch = {"), 9, "gpu = { type = \"int\" }\npatch = {");
  toml.replace(toml.find("profiler = \"none\""), 17, "profiler = \"none\"\ngpu = \"{gpu}\"");
  DesignOptions options;
  options.gpus = {"0", "5"};
  const DesignCase d(toml, options);
  ASSERT_EQ(d.error(), "");
  EXPECT_EQ(gpu_of(*d.design, 2).cells[0].run.name, "gpu5_vit8x384_plain");
  EXPECT_EQ(gpu_of(*d.design, 3).cells[0].run.name, "gpu0_vit8x384_plain");
  EXPECT_EQ(gpu_of(*d.design, 2).cells[0].key, gpu_of(*d.design, 1).cells[0].key);
  EXPECT_FALSE(DesignCase(toml).design);
}

TEST(Design, ALabelThatReachesNothingIsAPlanError) {
  const std::string experiment = "[experiment]\ncommand = [\"prog\", \"{patch}\", \"{dim}\"]\nprofiler = \"none\"\n";
  EXPECT_TRUE(contains(refusal(whole(experiment)), "the label 'mode' affects neither the command"));
}

TEST(Design, TwoNamesForOneCommandAreAPlanError) {
  const std::string experiment =
      "[experiment]\ncommand = [\"prog\", \"{patch}\", \"{dim}\", \"{mode}\"]\nprofiler = \"none\"\n"
      "[experiment.arguments]\nmode = { \"*\" = [] }\n";
  EXPECT_TRUE(contains(refusal(whole(experiment)),
                       "'vit8x384_plain' and 'vit8x384_fast' differ in the label 'mode' but have the same command"));
}

TEST(Design, RefusesRunsThatNoNameIdentifies) {
  EXPECT_TRUE(contains(refusal(whole(kExperiment, "[[matrix]]\npatch = 8\nmode = [\"none\", \"fast\"]\n")),
                       "no name made of the patterns"));
  std::string toml = whole(kExperiment, std::string(kMatrix) + "batch = 4\n");
  const std::string suffix = "match = \"_batch{batch}\"";
  toml.replace(toml.find(suffix), suffix.size(), "match = \"_b\"\nset = { batch = 2 }");
  EXPECT_TRUE(contains(refusal(toml), "gives the labels batch=4;dim=384;mode=none;patch=8 again"));
}

TEST(Design, MistakesInTheSectionAreSaidWithTheirPlace) {
  const auto with = [](const std::string& line) {
    return refusal(whole("[experiment]\ncommand = [\"p\", \"{patch}\", \"{dim}\", \"{mode}\"]\n" + line));
  };
  EXPECT_TRUE(contains(refusal(whole("[experiment]\nfolder = \".\"\n")), "[experiment] has no command"));
  EXPECT_TRUE(contains(refusal(whole("[experiment]\ncommand = [\"p\", \"{pach}\"]\n")),
                       "has the placeholder '{pach}', which is not a declared label. Did you mean 'patch'?"));
  EXPECT_TRUE(contains(with("timeout = \"soon\"\n"), "which is not a time"));
  EXPECT_TRUE(contains(with("steps = \"{steps}\"\n"), "no word of the command holds '{steps}'"));
  EXPECT_TRUE(contains(with("steps = \"100\"\n"), "expected \"{steps}\""));
  EXPECT_TRUE(contains(with("options = [\"{steps}\"]\n"), "without steps = \"{steps}\""));
  EXPECT_TRUE(contains(with("profiler = \"nsy\"\n"), "'nsys'?"));
  EXPECT_TRUE(contains(with("order = \"random\"\n"), "expected \"blocks\" or \"sequential\""));
  EXPECT_TRUE(contains(with("replicates = 0\n"), "not a whole number from 1"));
  EXPECT_TRUE(contains(with("cooldown = { within = \"warm\" }\n"), "expected degrees"));
  EXPECT_TRUE(contains(with("reject = [\"hot\"]\n"), "expected \"throttled\" or \"shared_gpu\""));
  EXPECT_TRUE(contains(with("caches = { X = \"hot\" }\n"), "expects \"cold\""));
  EXPECT_TRUE(contains(with("prepare = [\"sync\"]\n"), "a list of commands, each a list of words"));
  EXPECT_TRUE(contains(with("comand = 1\n"), "'command'?"));
  EXPECT_TRUE(contains(with("[experiment.labels]\nbatch = \"x\"\n"), "is not an integer"));
  EXPECT_TRUE(contains(with("[experiment.arguments]\nmode = { quick = [] }\n"), "not one of the declared values"));
  EXPECT_TRUE(contains(with("[experiment.arguments]\nmode = { none = [] }\n"), "no words for the value 'fast'"));
}

TEST(Design, OptionsThatFitNothingAreRefused) {
  const auto refused = [](DesignOptions options) { return DesignCase(whole(), options).error(); };
  DesignOptions only, unknown, value, question;
  only.only = {"patch=99"};
  unknown.only = {"pach=8"};
  value.set = {"batch=many"};
  question.questions = {"other"};
  EXPECT_TRUE(contains(refused(only), "--only leaves no run"));
  EXPECT_TRUE(contains(refused(unknown), "'patch'?"));
  EXPECT_TRUE(contains(refused(value), "'many' is not an integer"));
  EXPECT_TRUE(contains(refused(question), "--question 'other'"));
  EXPECT_TRUE(contains(refusal(std::string(kQuestion) + kMatrix), "has no [experiment]"));
}

TEST(Design, EqualCellsOfTwoQuestionsAreRunOnceUnderBothNames) {
  const TempFolder folder;
  const std::filesystem::path file = folder.write("question.toml", whole());
  std::vector<Question> questions = {DesignCase::read(file).front(), DesignCase::read(file).front()};
  questions[1].id = "other";
  questions[1].labels.patterns = {"again{patch}x{dim}"};
  const Result<Design> design = require(make_design(questions, {}));
  EXPECT_EQ(design->configurations, 8U);
  EXPECT_EQ(design->cells().size(), 5U) << "four cells and the twin";
  EXPECT_EQ(design->cells()[0].also.at(0).path(), "other/again8x384_plain");
}

/// The guide's 163 configurations, from the shipped questions.
TEST(Design, TheShippedQuestionsMakeTheGuides163Configurations) {
  const std::map<std::string, std::size_t> expected = {{"rq1_architecture", 39},
                                                       {"rq2_resolution", 17},
                                                       {"rq3_compilation", 32},
                                                       {"rq4_numa", 52},
                                                       {"rq5_pipeline", 23}};
  std::size_t all = 0;
  for (const auto& [name, count] : expected) {
    const std::filesystem::path files[] = {std::filesystem::path(ASSAY_SOURCE_DIR) / "configs" / (name + ".toml")};
    const auto questions = require(read_configs(files));
    const Result<Design> design = require(make_design(*questions, {}));
    EXPECT_EQ(design->configurations, count) << name;
    all += design->configurations;
  }
  EXPECT_EQ(all, 163U);
}

TEST(Design, EveryQuestionOfTheStudyCanBeRecorded) {
  const std::filesystem::path configs = std::filesystem::path(ASSAY_SOURCE_DIR) / "configs";
  const std::filesystem::path files[] = {configs / "study.toml", configs / "pytorch_steps.toml"};
  const auto questions = require(read_configs(files));
  const Result<Design> design = require(make_design(*questions, {}));
  EXPECT_EQ(design->configurations, 163U + 4 + 1 + 2 + 1);
  EXPECT_LT(design->cells().size(), design->configurations);
}

}  // namespace assay::record::design_test
