// How real projects name their profiles, and what `assay init` makes of the names: naming_schemes.txt.
#include "catalog/catalog.hpp"
#include "config/question_file.hpp"
#include "propose/labels.hpp"
#include "propose/toml.hpp"
#include "runs/names.hpp"
#include "support/test.hpp"

namespace assay::init::naming_schemes_test {

using namespace naming;

struct Scheme {
  std::string title;
  std::vector<std::string> paths;
  std::string labels, compared;
};

std::vector<Scheme> all_schemes() {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/tests/propose/naming_schemes.txt");
  std::vector<Scheme> schemes;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("scheme ")) schemes.push_back({line.substr(7), {}, {}, {}});
    if (line.starts_with("  ")) schemes.back().paths.push_back(line.substr(2));
    if (line.starts_with("labels ")) schemes.back().labels = line.substr(7);
    if (line.starts_with("compare ") || line == "nothing") schemes.back().compared = line;
  }
  return schemes;
}

/// "bs=1,8 rank(r) date(d)"
std::string text_of(const NameRules& rules) {
  std::string text;
  for (const NameLabel& label : rules.labels) {
    text += (text.empty() ? "" : " ") + label.name;
    if (label.rank || label.descriptive) {
      text += label.rank ? "(r)" : "(d)";
      continue;
    }
    for (std::size_t v = 0; v < label.values.size(); ++v) text += (v == 0 ? "=" : ",") + label.values[v];
  }
  return text;
}

std::string compared_in(const NameRules& rules) {
  const std::vector<Comparison> found = comparisons_of(rules);
  return found.empty() || found.front().pairs == 0 ? "nothing"
                                                   : "compare " + found.front().label + " from " + found.front().base;
}

/// What the written question says of a path.
std::map<std::string, std::string> labels_in_question(const Question& question, const std::string& path) {
  const ParsedName parsed = parse_name(question.labels, path + ".sqlite");
  EXPECT_TRUE(is_empty(parsed.problems)) << path;
  std::map<std::string, std::string> labels;
  for (const LabelOfReport& label : parsed.labels) labels.emplace(question.labels.labels[label.label].name, label.text);
  return labels;
}

TEST(NamingSchemes, MeanWhatTheirAuthorsMean) {
  const std::vector<Scheme> schemes = all_schemes();
  ASSERT_GE(schemes.size(), 60U);
  for (const Scheme& scheme : schemes) {
    const NameRules rules = rules_of(with_telling_folders(scheme.paths));
    EXPECT_EQ(text_of(rules), scheme.labels) << scheme.title;
    EXPECT_EQ(compared_in(rules), scheme.compared) << scheme.title;
  }
}

TEST(NamingSchemes, TheWrittenQuestionReadsEveryNameTheSameWay) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "naming_schemes.toml";
  for (const Scheme& scheme : all_schemes()) {
    Proposal proposal;
    proposal.folder = "profiles";
    proposal.kind = "nsys";
    proposal.reports = scheme.paths;
    proposal.names = rules_of(with_telling_folders(scheme.paths));
    proposal.comparisons = comparisons_of(proposal.names);
    const std::string text = toml_of(proposal);
    std::ofstream(file) << text.substr(0,
                                       text.find("[analyzers."));  // their options come from files beside the program
    const Result<ConfigFile> read = read_config_file(file);
    ASSERT_TRUE(read) << scheme.title << ": " << read.error().sentence;
    for (std::size_t s = 0; s < scheme.paths.size(); ++s)
      EXPECT_EQ(labels_in_question(std::get<Question>(*read), "runs/" + scheme.paths[s]), proposal.names.of_stem[s])
          << scheme.title;
  }
}

}  // namespace assay::init::naming_schemes_test
