// The published study's own files: every name is understood, and the expected runs are there.
#include "config/question_of.hpp"
#include "config/study_tomls.hpp"
#include "discover/discover.hpp"
#include "support/test.hpp"

namespace assay::study_names_test {

Question own_config(const char* name) {
  const fs::path files[] = {fs::path(ASSAY_SOURCE_DIR) / "configs" / name};
  auto questions = read_configs(files);
  if (!questions) throw std::runtime_error(questions.error().sentence);
  return questions->front();
}

std::vector<std::string> missing(const QuestionCatalog& catalog) {
  std::vector<std::string> cells;
  for (const MatrixCell& cell : catalog.completeness.missing) cells.push_back(cell.str());
  return cells;
}

/// "patch=32 dim=768 px=512!" of a report of a question.
std::string labels(const Catalog& catalog, const Question& question, std::size_t q, std::string_view name) {
  for (const CatalogEntry& entry : catalog.questions[q].entries) {
    if (fs::path(catalog.files[entry.file].name).stem() != name) continue;
    std::string text;
    for (const LabelOfReport& value : entry.labels) {
      const char* mark = value.origin == LabelOrigin::kDefault ? "*" : value.origin == LabelOrigin::kImplied ? "!" : "";
      text += (text.empty() ? "" : " ") + question.labels.labels[value.label].name + "=" + value.text + mark;
    }
    return text;
  }
  return "not there";
}

class StudyNames : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSAY_REAL_FOLDER(folder, "examples");
    const fs::path folders[] = {folder};
    questions_ = {own_config("rq1_architecture.toml"),
                  question_of(study::kRq2),
                  own_config("rq3_compilation.toml"),
                  question_of(study::kRq4),
                  question_of(study::kRq5),
                  question_of(study::kTokenReduction),
                  question_of(study::kTransformer),
                  question_of(study::kAttention)};
    for (Question& question : questions_) question.runner.files.clear();  // names alone
    auto catalog = require(discover(questions_, folders));
    catalog_ = std::move(*catalog);
  }

  std::vector<Question> questions_;
  Catalog catalog_;
};

TEST_F(StudyNames, EveryNameIsUnderstood) {
  for (std::size_t q = 0; q < questions_.size(); ++q) {
    EXPECT_TRUE(is_empty(catalog_.questions[q].notes)) << questions_[q].id;
    EXPECT_TRUE(is_empty(catalog_.questions[q].completeness.unexpected)) << questions_[q].id;
    EXPECT_TRUE(is_empty(catalog_.questions[q].completeness.unreadable)) << questions_[q].id;
    EXPECT_FALSE(catalog_.questions[q].entries.empty()) << questions_[q].id;
    for (const CatalogEntry& entry : catalog_.questions[q].entries) {
      EXPECT_TRUE(is_empty(entry.name_problems)) << catalog_.files[entry.file].name;
      const bool question = entry.role == ReportRole::kQuestion;
      EXPECT_TRUE(!question || !entry.labels.empty()) << catalog_.files[entry.file].name;
    }
  }
}

TEST_F(StudyNames, ExpectedRunsAreThere) {
  const struct {
    std::size_t question, expected, present;
  } counts[] = {{0, 39, 39}, {1, 17, 17}, {2, 32, 31}, {3, 52, 52}, {4, 23, 23}};
  for (const auto& c : counts) {
    const Completeness& completeness = catalog_.questions[c.question].completeness;
    EXPECT_EQ(completeness.expected, c.expected) << questions_[c.question].id;
    EXPECT_EQ(completeness.present, c.present) << questions_[c.question].id;
  }
  EXPECT_TRUE(equals(missing(catalog_.questions[2]), {"patch=32;depth=18;dim=1024;compile=max-autotune"}));
}

TEST_F(StudyNames, LabelsAreWhatTheNamesSay) {
  const auto shown = [&](std::size_t q, std::string_view name) { return labels(catalog_, questions_[q], q, name); };
  EXPECT_EQ(shown(0, "gpu0_numa0_vit8x6x384"), "gpu=0 numa=0 patch=8 depth=6 dim=384 px=224* batch=8*");
  EXPECT_EQ(shown(1, "gpu0_numa0_vit32x6x384_2048px"), "gpu=0 numa=0 patch=32 depth=6 dim=384 px=2048 batch=4*");
  EXPECT_EQ(shown(2, "gpu0_numa0_vit32x12x768_compiled_batch32"),
            "gpu=0 numa=0 patch=32 depth=12 dim=768 px=224* batch=32 compile=default");
  EXPECT_EQ(shown(2, "gpu0_numa0_vit16x6x384_compiled_reduce-overhead"),
            "gpu=0 numa=0 patch=16 depth=6 dim=384 px=224* batch=8* compile=reduce-overhead");
  EXPECT_EQ(shown(2, "gpu0_numa0_vit16x6x384_uncompiled"),
            "gpu=0 numa=0 patch=16 depth=6 dim=384 px=224* batch=8* compile=none");
  EXPECT_EQ(shown(3, "gpu0_numa2_vit32x12x768_numa_remote_batch1"),
            "gpu=0 numa=2 patch=32 depth=12 dim=768 px=224* batch=1 memory=remote highmem=no* transfer=no*");
  EXPECT_EQ(shown(4, "gpu0_numa0_vit8x6x384_async_many_patches"),
            "gpu=0 numa=0 patch=8 depth=6 dim=384 px=512! batch=8* mode=async variant=many_patches");
  EXPECT_EQ(shown(4, "gpu0_numa0_vit32x12x768_async_1024px_gpu"),
            "gpu=0 numa=0 patch=32 depth=12 dim=768 px=1024 batch=8* mode=async preproc=gpu variant=plain*");
  EXPECT_EQ(shown(5, "with_tr_bs1_is224"), "reduction=with_tr batch=1 px=224");
  EXPECT_EQ(shown(6, "small_training_step_ctx512"), "model=small pass=training_step annotated=no* ctx=512");
  EXPECT_EQ(shown(7, "gpu0_numa0_vit16x12x768_attn_224px"), "gpu=0 numa=0 patch=16 depth=12 dim=768 px=224");
}

TEST_F(StudyNames, NoiseOfOneQuestionIsTheReportsOfOthers) {
  std::size_t noise = 0;
  for (const CatalogEntry& entry : catalog_.questions[0].entries) {
    if (entry.role != ReportRole::kNoise) continue;
    ++noise;
    const std::string& name = catalog_.files[entry.file].name;
    EXPECT_TRUE(name.starts_with("rq3_compilation_optimization/") || name.starts_with("rq4_numa_locality_effects/"))
        << name;
  }
  EXPECT_EQ(noise, 31U + 52U);
}

/// What the programs themselves wrote agrees with every name, and says what the names leave to defaults.
TEST_F(StudyNames, ResultsOfTheProgramsFillWhatNamesDoNotSay) {
  std::vector<Question> own;
  for (const char* name : {"rq1_architecture.toml", "rq2_resolution.toml", "rq3_compilation.toml", "rq4_numa.toml",
                           "rq5_pipeline.toml", "token_reduction.toml", "transformer_kernels.toml"})
    own.push_back(own_config(name));
  const fs::path folders[] = {real_data("examples")};
  const auto catalog = require(discover(own, folders));
  const std::size_t runs[] = {39, 17, 31, 52, 23, 4, 2};
  for (std::size_t q = 0; q < own.size(); ++q) {
    const QuestionCatalog& seen = catalog->questions[q];
    EXPECT_TRUE(is_empty(seen.issues)) << own[q].id;
    EXPECT_TRUE(is_empty(seen.left_out)) << own[q].id;
    std::size_t matched = 0;
    for (const RunnerRun& run : seen.runs) matched += run.own && run.files.size() == 1 && run.pass_s ? 1U : 0U;
    EXPECT_EQ(matched, runs[q]) << own[q].id;
    for (const CatalogEntry& entry : seen.entries) {
      for (const LabelOfReport& value : entry.labels) {
        const std::string& label = own[q].labels.labels[value.label].name;
        const bool given = (label != "px" && label != "batch") || value.origin != LabelOrigin::kDefault;
        EXPECT_TRUE(given) << catalog->files[entry.file].name << " " << label;
      }
    }
  }
}

/// Names that occur in the published studies and not in the bundle.
TEST(OlderNames, AreUnderstoodToo) {
  const auto rules = question_of(study::kTransformer).labels;
  EXPECT_TRUE(is_empty(parse_name(rules, "2.7B_forward_backward_annotated_ctx1024.nsys-rep").problems));
  EXPECT_TRUE(is_empty(parse_name(rules, "medium_forward.sqlite").problems));
}

}  // namespace assay::study_names_test
