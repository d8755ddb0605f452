// Every rule of configs/data/kernel_classes.toml on the names of real kernels.
#include "assay/algo/kernel_classes.hpp"
#include "assay/detail/communication.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/kernel_rules.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::kernel_names_test {

using under_test::kernel_breakdown::descriptor;

using namespace testing;

NameRules rules_of(const std::vector<std::string>& texts) {
  const std::vector<Str> views(texts.begin(), texts.end());
  return NameRules(views);
}

struct NamedKernel {
  std::string kind, name;
};

/// The tracked list: names that are short and written by hand, of the bundled reports, and of two-process runs.
std::vector<NamedKernel> known_names() {
  std::vector<NamedKernel> out;
  std::ifstream file(ASSAY_SOURCE_DIR "/tests/plugins/kernel_breakdown/kernel_names.txt");
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with('#') && tab != std::string::npos) out.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return out;
}

/// Each alternative of each rule as a rule of its own.
std::vector<std::string> alternatives() {
  std::vector<std::string> out;
  for (const std::string& rule : testing::kernel_rules("rules")) {
    const std::size_t colon = rule.find(':');
    // A word may hold "::", so only the class's own ':' counts, and '|' always separates.
    std::string rest = rule.substr(colon + 1);
    for (std::size_t bar = 0; bar != std::string::npos;) {
      bar = rest.find('|');
      out.push_back(rule.substr(0, colon + 1) + rest.substr(0, bar));
      if (bar != std::string::npos) rest.erase(0, bar + 1);
    }
  }
  return out;
}

TEST(KernelNames, EveryKnownNameHasItsClass) {
  const NameRules rules = rules_of(testing::kernel_rules("rules"));
  const std::vector<NamedKernel> names = known_names();
  ASSERT_GT(names.size(), 300U);
  for (const NamedKernel& k : names) EXPECT_EQ(rules.class_of(k.name), k.kind) << k.name;
}

TEST(KernelNames, AgreeWithTheRuleSetForCollectives) {
  for (const NamedKernel& k : known_names()) EXPECT_EQ(communicates(k.name), k.kind == "communication") << k.name;
}

TEST(KernelNames, EveryAlternativeOfARuleDecidesAKnownName) {
  const std::vector<NamedKernel> names = known_names();
  for (const std::string& alternative : alternatives()) {
    const NameRules alone = rules_of({alternative});
    const bool used = std::any_of(names.begin(), names.end(), [&](const NamedKernel& k) {
      return k.kind == alone.classes().front() && alone.class_of(k.name) == k.kind;
    });
    EXPECT_TRUE(used) << "no name in kernel_names.txt is of the class by '" << alternative << "'";
  }
}

/// Distinct names of all reports below a folder.
std::set<std::string> names_below(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".sqlite") && !name.ends_with(".json.gz")) continue;
    const RealReport real(descriptor, entry.path(), "", "");
    const Report& report = real.report();
    for (std::size_t k = 0; report.kernels != nullptr && k < report.kernels->rows; ++k) {
      out.emplace(report.string(report.kernels->name[k]));
    }
  }
  return out;
}

// Counts of classes over the distinct names, as a second program counted them (SQL and JSON, rules in Python).
TEST(KernelNames, AreAllKnownInPublicReports) {
  ASSAY_REAL_FILE(folder, "public", "");
  const NameRules rules = rules_of(testing::kernel_rules("rules"));
  std::map<std::string, int, std::less<>> counts;
  for (const fs::path& part : {*folder / "nsys", *folder / "torch"}) {
    for (const std::string& name : names_below(part)) {
      const std::string kind(rules.class_of(name));
      ++counts[kind];
      EXPECT_NE(kind, kUnknownClass) << name;
    }
  }
  using Counts = std::map<std::string, int, std::less<>>;
  EXPECT_EQ(counts, (Counts{{"attention", 3},
                            {"communication", 2},
                            {"convolution", 37},
                            {"copy", 15},
                            {"elementwise", 61},
                            {"fill", 5},
                            {"foreach", 8},
                            {"fused", 4},
                            {"indexing", 4},
                            {"loss", 4},
                            {"matmul", 52},
                            {"norm", 6},
                            {"pooling", 2},
                            {"reduction", 14},
                            {"softmax", 4},
                            {"sort", 1}}));
}

TEST(KernelNames, AWordMayHaveToBeginAPartOfTheName) {
  const NameRules rules = rules_of({"fft: ^fft", "other: !^x & fft"});
  EXPECT_EQ(rules.class_of("fft1024"), "fft");
  EXPECT_EQ(rules.class_of("regular_FFT<64>"), "fft");
  EXPECT_EQ(rules.class_of("ns::fft"), "fft");
  EXPECT_EQ(rules.class_of("difftensor"), "other");
  EXPECT_EQ(rules.class_of("difftensor_fft"), "fft") << "one occurrence at a beginning is enough";
  EXPECT_EQ(rules.class_of("x_fftless"), "fft");
  EXPECT_EQ(rules.class_of("x_difftensor"), "unknown");
}

}  // namespace assay::kernel_names_test
