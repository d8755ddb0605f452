// Counts of what there is too much of. A bound may only fall: lower it when some have gone.
#include "ratchets.hpp"

#include <iostream>

#include "support/test.hpp"

namespace assay::test::ratchets_test {

const std::vector<SourceFile>& host() {
  static const std::vector<SourceFile> files = source_files(ASSAY_SOURCE_DIR, {"core", "cli", "query", "tools"});
  return files;
}
const std::vector<SourceFile>& analyzers() {
  static const std::vector<SourceFile> files = source_files(ASSAY_SOURCE_DIR, {"plugins"});
  return files;
}

const std::vector<std::string> kProduct = {"core", "cli", "query", "tools", "formats", "plugins", "algo", "sdk"};

std::set<std::string> names_of_analyzers() {
  std::set<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/plugins")) {
    if (folder.is_directory()) names.insert(folder.path().filename().string());
  }
  names.erase("ranges");  // the name of a table of the model first of all
  names.erase("memory");  // also a heading and a word of texts; nothing in the host asks for that analyzer
  return names;
}

bool below(const SourceFile& file, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) { return file.path.starts_with(folder); });
}

/// Prints the count with its bound and where it is highest, and holds it to the bound.
void hold(const char* what, std::size_t bound, const std::vector<SourceFile>& files,
          const std::function<std::size_t(const SourceFile&)>& count) {
  std::size_t all = 0;
  std::string where;
  for (const SourceFile& file : files) {
    const std::size_t here = count(file);
    all += here;
    if (here > 0) where += "\n    " + file.path + " " + std::to_string(here);
  }
  std::cout << "  " << what << ": " << all << " (bound " << bound << ")" << (all < bound ? ", lower the bound" : "")
            << "\n";
  EXPECT_LE(all, bound) << what << where;
}

TEST(Ratchets, NamesOfAnalyzersInTheHostGetFewer) {
  hold("names of analyzers", 21, host(),
       [names = names_of_analyzers()](const SourceFile& file) { return analyzer_names(file, names); });
}

TEST(Ratchets, MetricIdsInTheHostGetFewer) {
  const std::set<std::string> ids = metric_ids(analyzers());
  ASSERT_GT(ids.size(), 200U);
  hold("metric ids", 4, host(), [&](const SourceFile& file) { return metric_names(file, ids); });
}

TEST(Ratchets, NamesOfFormatsInTheHostGetFewer) { hold("names of formats in the host", 7, host(), format_names); }

TEST(Ratchets, CoreHasNoNameOfAFormat) {
  hold("names of formats in core", 0, source_files(ASSAY_SOURCE_DIR, {"core", "cli"}), format_names);
}

/// Inside longer literals too.
TEST(Ratchets, WordsOfFormatsInCoreGetFewer) {
  hold("words of formats in core", 0, source_files(ASSAY_SOURCE_DIR, {"core"}), format_words);
}

TEST(Ratchets, TestsOfSentencesGetFewer) {
  hold("tests of sentences", 0, source_files(ASSAY_SOURCE_DIR, {"core", "cli", "query", "tools", "formats", "plugins"}),
       sentence_tests);
}

TEST(Ratchets, ReadersOfClaimKeysOutsideTheJudgeGetFewer) { hold("readers of claim keys", 12, host(), claim_keys); }

TEST(Ratchets, ProfilesLoadedPastThePipelineGetFewer) {
  hold("profiles loaded past the pipeline", 0, host(), [](const SourceFile& file) {
    return below(file, {"core/model/", "core/study/recognise/", "core/study/runs/"}) ? 0
                                                                                     : calls_of(file, "load_profile");
  });
}

/// Places that a user names become profiles where each file is recognised.
TEST(Ratchets, ResolversOfPlacesGetFewer) {
  hold("resolvers of places", 0, host(), [](const SourceFile& file) {
    return below(file, {"core/model/", "core/study/catalog/"}) ? 0 : calls_of(file, "sniff");
  });
}

TEST(Ratchets, LongFunctionsGetFewer) {
  hold("functions over 60 lines", 0, source_files(ASSAY_SOURCE_DIR, kProduct),
       [](const SourceFile& file) { return functions_over(file, 60).size(); });
}

const std::vector<SourceFile>& own_sources() {
  static const std::vector<SourceFile> files = [] {
    std::vector<std::string> folders = kProduct;
    folders.insert(folders.end(), {"bench", "tests"});
    return source_files(ASSAY_SOURCE_DIR, folders);
  }();
  return files;
}

TEST(Ratchets, LongFilesGetFewer) {
  const auto is_long = [](const SourceFile& file) { return file.lines.size() > 401 ? 1U : 0U; };
  hold("files of the host over 400 lines", 0, host(), is_long);
  hold("files over 400 lines", 19, own_sources(), is_long);
}

/// Lines that put a text together of four and more parts by +; fmt::format, and filled() of the SDK, read as the
/// sentence.
TEST(Ratchets, ChainsOfTextGetFewer) {
  hold("lines with three + and a text", 105, source_files(ASSAY_SOURCE_DIR, kProduct), [](const SourceFile& file) {
    return std::ranges::count_if(file.lines, [](const std::string& line) {
      std::size_t plus = 0;
      for (std::size_t at = 0; (at = line.find(" + ", at)) != std::string::npos; at += 2) ++plus;
      return plus >= 3 && line.find('"') != std::string::npos;
    });
  });
}

/// Sources and headers of each folder. The commit that raises one says for which issue and by how many lines.
TEST(Ratchets, EveryFolderKeepsWithinItsLines) {
  struct Folder {
    const char* name;
    std::size_t lines;
  };
  constexpr Folder kFolders[] = {{"algo", 9326},     {"cli", 2249},      {"core", 39074},
                                 {"formats", 23444}, {"plugins", 49806}, {"query", 3876},
                                 {"sdk", 19503},     {"tools", 32296},   {"tests", 67018}};
  for (const auto& [name, lines] : kFolders)
    hold(name, lines, source_files(ASSAY_SOURCE_DIR, {name}),
         [](const SourceFile& file) { return file.lines.size() - 1; });
}

TEST(Ratchets, NoTypeIsNamedByABareParticiple) {
  hold("types named by a bare participle", 0, own_sources(),
       [](const SourceFile& file) { return participle_types(file).size(); });
}

TEST(Ratchets, NoFunctionIsNamedByAVagueVerb) {
  hold("functions named by a vague verb", 0, own_sources(),
       [](const SourceFile& file) { return vague_functions(file).size(); });
}

// That each kind is seen: made-up sources.

SourceFile made(std::string_view text) { return source_file("made.cpp", text); }

TEST(RatchetsCheck, LiteralsAndCommentsAreToldApart) {
  const SourceFile file =
      made("a(\"x // y\", '\"', 1'000); // \"no\"\nb /* \"no\" */ (R\"(r\"aw)\");\nc(\"\\\"q\");\n");
  EXPECT_TRUE(equals(file.literals, {"x // y", "r\"aw", "\\\"q"}));
  EXPECT_TRUE(equals(file.code, {"a(\"      \", ' ', 1'000); ", "b  (R\"(    )\");", "c(\"   \");", ""}));
}

TEST(RatchetsCheck, NamesOfAnalyzersAreSeenInsideLongerLiterals) {
  const std::set<std::string> names = {"run_summary", "ranks"};
  const auto count = [&](std::string_view text) { return analyzer_names(made(text), names); };
  EXPECT_EQ(count(R"(a("run_summary"), b("ranks"))"), 2U);
  EXPECT_EQ(count(R"(a("\n[analyzers.run_summary]\n[analyzers.ranks]"))"), 2U);
  EXPECT_EQ(count(R"(a("the analyzer 'ranks' and run_summary."))"), 2U);
  EXPECT_EQ(count(R"(a("all ranks of a job"), my_run_summary("run_summary2") // "ranks"
)"),
            0U);
}

TEST(RatchetsCheck, MetricIdsAreSeenInsideLongerLiterals) {
  const std::set<std::string> ids = metric_ids({made(R"({"gpu.busy_ratio", "", "x"}; read("notes.md"))")});
  EXPECT_TRUE(equals(ids, {"gpu.busy_ratio"}));
  EXPECT_EQ(metric_names(made(R"(a("gpu.busy_ratio"); b("metric = \"gpu.busy_ratio\". Or gpu.busy_ratio."))"), ids),
            3U);
  EXPECT_EQ(metric_names(made(R"(a("gpu.busy"), gpu.busy_ratio)"), ids), 0U);
}

TEST(RatchetsCheck, NamesOfFormatsAreSeenWithRocpd) {
  EXPECT_EQ(format_names(made(R"(is("rocpd"), is("nsys"), kind == FileKind::kNcuCsv, ends_with(".sqlite"))")), 4U);
  EXPECT_EQ(format_names(made(R"(say("an export of nsys"), kNcuCsvs)")), 0U);
  EXPECT_EQ(format_words(made(R"(say("an export of nsys", "ncu_unused", "Nsight Compute", "a.ncu-rep"))")), 4U);
  EXPECT_EQ(format_words(made(R"(say("function", "consync"), nsys()) // "nsys"
)")),
            0U);
}

TEST(RatchetsCheck, TestsOfSentencesAreSeen) {
  EXPECT_EQ(sentence_tests(made(R"(if (skip.reason.starts_with(kNeeds)) x.title.ends_with("s"))")), 2U);
  EXPECT_EQ(sentence_tests(made(R"(error().sentence.find("; "); f.why.front().starts_with(kNotKnown);)")), 2U);
  EXPECT_EQ(sentence_tests(made(R"(error.message().contains("x"); problem.rfind(' ');)")), 2U);
  EXPECT_EQ(sentence_tests(made(R"(end.error.find(": "); first.estimate.find(" ("); words.find(": "))")), 3U);
  EXPECT_EQ(sentence_tests(made(R"(name.starts_with("x"); reasons.find(key); reason.empty(); // reason.find("x")
)")),
            0U);
}

TEST(RatchetsCheck, ReadersOfClaimKeysAreSeen) {
  EXPECT_EQ(claim_keys(made(R"(claim_key<std::string>(claim, "base"); claim_texts(claim, "treated");)")), 2U);
  EXPECT_EQ(claim_keys(made(R"(if (entry.name == "between" && option.name != "treated"))")), 2U);
  EXPECT_EQ(claim_keys(made(R"(if (entry.name == "depth") claim_key(claim, name);)")), 0U);
}

TEST(RatchetsCheck, CallsAreSeen) {
  EXPECT_EQ(
      calls_of(made("a = load_profile({x}); reload_profile(1); // load_profile(\n\"load_profile(\";"), "load_profile"),
      1U);
}

TEST(RatchetsCheck, LongFunctionsAreSeen) {
  const std::string body = "  if (a) {\n    b();\n  }\n";
  const std::string text = "namespace n {\nclass C : public B {\n  int f(int a,\n        int b) const {\n" + body +
                           "  }\n};\nint g() { return 1; }\nconst T table = {\n{1},\n{2},\n{f(3)},\n{4},\n};\n}\n";
  EXPECT_TRUE(equals(functions_over(made(text), 4), {"made.cpp:4 5"}));
  EXPECT_TRUE(is_empty(functions_over(made(text), 5)));
}

TEST(RatchetsCheck, BareParticiplesAreSeen) {
  EXPECT_TRUE(equals(participle_types(made("struct Told {\n  enum class Found { kA };\n};\nclass Judged final {};\n")),
                     {"made.cpp Told", "made.cpp Found", "made.cpp Judged"}));
  EXPECT_TRUE(equals(participle_types(made("using Kept = int;\n")), {"made.cpp Kept"}));
  EXPECT_TRUE(
      is_empty(participle_types(made("struct Seed {};\nstruct FoundFile {};\nstruct Told;\n// struct Made {\n"))));
}

TEST(RatchetsCheck, VagueFunctionsAreSeen) {
  EXPECT_TRUE(
      equals(vague_functions(made("  std::string take() { return x; }\nvoid A::put(int a) {\nbool tell_host(int a,\n"
                                  "const auto give = [&](int a) {};\nint place(const Row& row);\n")),
             {"made.cpp take", "made.cpp put", "made.cpp tell_host", "made.cpp give", "made.cpp place"}));
  EXPECT_TRUE(
      is_empty(vague_functions(made("return take(1);\n  take(2);\n  Place release() { return x; }\nint take_off = 1;\n"
                                    "// void put(int);\nstd::vector<int> place(rows.size());\n"))));
}

}  // namespace assay::test::ratchets_test
