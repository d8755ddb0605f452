// What becomes of reports, whatever nsys does with them.
#include <signal.h>

#include <map>

#include "converting.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::testing::convert_test {

namespace fs = std::filesystem;

constexpr const char* kProgress = "Exporting 152 events";  // of the stand-in for nsys

TEST_F(Converting, ExportsStandBesideTheirReports) {
  report("a/one.nsys-rep", "export");
  report("a/two.QDREP", "export");
  report("b/three.nsys-rep", "export");
  write_text(at("b/notes.txt"), "export");
  const ConvertResult result = convert();
  EXPECT_EQ(result.count(ConvertState::kConverted), 3U);
  EXPECT_EQ(result.reports.size(), 3U);
  EXPECT_TRUE(equals(all_below(reports_.path()), {"a/", "a/one.nsys-rep", "a/one.sqlite", "a/two.QDREP", "a/two.sqlite",
                                                  "b/", "b/notes.txt", "b/three.nsys-rep", "b/three.sqlite"}));
  for (const char* made : {"a/one.sqlite", "a/two.sqlite", "b/three.sqlite"}) {
    EXPECT_TRUE(read_text(at(made)) == tools_.export_bytes()) << made;
  }
}

TEST_F(Converting, EachFailureHasItsReasonAndLeavesNothing) {
  const std::map<std::string, std::string> reasons = {
      {"fail", "nsys failed with exit code 1: Exportation error: Section Table Reference magic number mismatch."},
      {"half", "nsys reported success and its export is cut off: The file has 30000 bytes where its header promises"},
      {"broken", "nsys failed with exit code 1: Exportation error: disk I/O error"},
      {"crash", "nsys was ended by signal 11 (Segmentation fault)"},
      {"nothing", "nsys reported success and wrote no export"},
      {"newer",
       "the profile was made by Nsight Systems 2026.3.1, for which nsys 2025.1.3 is too old; install Nsight Systems "
       "2026.3.1 or newer, or name it with --nsys"},
      {"noisy", "nsys failed with exit code 2: "},
      {"touch", "it changed while it was converted; run again when its writer is done"}};
  std::vector<std::string> names = {"fine.nsys-rep", "fine.sqlite"};
  report("fine.nsys-rep", "export");
  for (const auto& [word, reason] : reasons) {
    report(word + ".nsys-rep", word);
    names.push_back(word + ".nsys-rep");
  }
  std::sort(names.begin(), names.end());

  const ConvertResult result = convert();
  for (const auto& [word, reason] : reasons) {
    EXPECT_TRUE(contains(outcome(result, at(word + ".nsys-rep")), reason));
  }
  EXPECT_EQ(outcome(result, at("fine.nsys-rep")), "converted");
  EXPECT_EQ(all_below(reports_.path()), names);
}

TEST_F(Converting, ExportsWithTablesOfTheUserAreNotReplaced) {
  const auto old = report("a.nsys-rep", "export");
  ASSERT_EQ(outcome(convert(), old), "converted");
  options_.force = true;
  EXPECT_EQ(outcome(convert(), old), "converted");
  run_sql(at("a.sqlite"), "CREATE TABLE notes (x);");
  const std::string mine = read_text(at("a.sqlite"));
  EXPECT_TRUE(contains(outcome(convert(), old), "the table 'notes'"));
  EXPECT_EQ(read_text(at("a.sqlite")), mine);
  options_.force = false;
  EXPECT_EQ(outcome(convert(), old), "up to date");
}

TEST_F(Converting, ShortensTheOutputOfAProgram) {
  const std::string reason = outcome_of_one("a.nsys-rep", "noisy");
  EXPECT_LT(reason.size(), 500U);
  EXPECT_TRUE(contains(read_text(tools_.nsys()), kProgress));
  EXPECT_FALSE(contains(outcome_of_one("a.nsys-rep", "fail"), kProgress));
}

TEST_F(Converting, OneThatHangsIsEndedWithAllThatItStarted) {
  options_.time_limit = std::chrono::seconds(5);  // by when the program has said something on the busiest machine
  report("b.nsys-rep", "export");
  const std::string reason = outcome_of_one("a.nsys-rep", "hang");
  EXPECT_EQ(
      reason,
      "nsys did not end within 5 s and was stopped; raise the limit with --time-limit (its last output: Working on "
      "it)");
  EXPECT_FALSE(tools_.left_running());
  EXPECT_TRUE(equals(all_below(reports_.path()), {"a.nsys-rep", "b.nsys-rep", "b.sqlite"}));
}

TEST_F(Converting, NothingIsLeftRunningAfterSuccess) {
  EXPECT_EQ(outcome_of_one("a.nsys-rep", "orphan"), "converted");
  EXPECT_FALSE(tools_.left_running());
}

TEST_F(Converting, NamesMayHoldAnyBytes) {
  const std::vector<std::string> stems = {"with blank",
                                          "new\nline",
                                          "-o",
                                          "--help",
                                          "$(touch hacked)",
                                          "quote'\"",
                                          "back\\slash",
                                          "100%p%h",
                                          "\xff\xfe",
                                          "tab\t;rm x",
                                          "*",
                                          "a.b.sqlite",
                                          "m\xc3\xbc"
                                          "de",
                                          ".hidden"};
  for (const std::string& stem : stems) report("-odd 'folder'\n/" + stem + ".nsys-rep", "export");
  const ConvertResult result = convert();
  ASSERT_EQ(result.reports.size(), stems.size());
  for (const std::string& stem : stems) {
    EXPECT_EQ(outcome(result, at("-odd 'folder'\n/" + stem + ".nsys-rep")), "converted") << stem;
    EXPECT_TRUE(read_text(at("-odd 'folder'\n/" + stem + ".sqlite")) == tools_.export_bytes()) << stem;
  }
  EXPECT_EQ(all_below(reports_.path()).size(), 2 * stems.size() + 1);
}

TEST_F(Converting, RelativePlacesMayBeginWithADash) {
  const fs::path before = fs::current_path();
  report("-f.nsys-rep", "export");
  fs::current_path(reports_.path());
  options_.places = {"-f.nsys-rep"};
  const ConvertResult result = convert();
  fs::current_path(before);
  EXPECT_EQ(outcome(result, "-f.nsys-rep"), "converted");
  EXPECT_TRUE(fs::exists(at("-f.sqlite")));
}

TEST_F(Converting, RunsTheRequestedNumberAtOnce) {
  options_.jobs = 4;
  options_.time_limit = std::chrono::seconds(300);
  for (const char* name : {"a", "b", "c", "d"}) report(std::string(name) + ".nsys-rep", "meet");
  EXPECT_EQ(convert().count(ConvertState::kConverted), 4U);
}

TEST_F(Converting, OneAtATimeMeansOne) {
  options_.jobs = 1;
  for (const char* name : {"a", "b", "c"}) report(std::string(name) + ".nsys-rep", "alone");
  EXPECT_EQ(convert().count(ConvertState::kConverted), 3U);
}

TEST_F(Converting, ProgressCountsWhatIsToBeConverted) {
  for (const char* name : {"a", "b", "c"}) report(std::string(name) + ".nsys-rep", "export");
  write_text(at("a.sqlite"), tools_.export_bytes());
  std::vector<std::pair<std::size_t, std::size_t>> heard;
  const auto result =
      convert_reports(options_, [&](std::size_t done, std::size_t all) { heard.emplace_back(done, all); }, stop_);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(equals(heard, {std::pair(1U, 2U), std::pair(2U, 2U)}));
}

TEST_F(Converting, AnInterruptionEndsAllAndKeepsWhatIsDone) {
  options_.jobs = 3;
  const fs::path done = report("a.nsys-rep", "export");
  report("b.nsys-rep", "hang");
  report("c.nsys-rep", "hang");
  report("d.nsys-rep", "export");
  write_text(at("b.sqlite"), "an old one");
  const auto raise = [&](std::size_t, std::size_t) {
    tools_.wait_for_process();
    stop_ = true;
  };
  const auto result = convert_reports(options_, raise, stop_);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->interrupted);
  EXPECT_EQ(outcome(*result, done), "converted");
  EXPECT_FALSE(tools_.left_running());
  EXPECT_EQ(read_text(at("b.sqlite")), "an old one");
  EXPECT_TRUE(equals(all_below(reports_.path()),
                     {"a.nsys-rep", "a.sqlite", "b.nsys-rep", "b.sqlite", "c.nsys-rep", "d.nsys-rep"}));
}

TEST_F(Converting, PagesOfNsightComputeStandBesideTheirReport) {
  const fs::path file = report("k.ncu-rep", "export");
  EXPECT_EQ(outcome(convert(), file), "converted");
  EXPECT_TRUE(equals(all_below(reports_.path()), {"k.ncu-rep", "k.ncu.details.csv", "k.ncu.raw.csv"}));
  EXPECT_TRUE(contains(read_text(at("k.ncu.raw.csv")), "\"gemm\",\"raw\"\n"));
  EXPECT_TRUE(contains(read_text(at("k.ncu.details.csv")), "\"gemm\",\"details\"\n"));
  EXPECT_EQ(outcome(convert(), file), "up to date");
  fs::remove(at("k.ncu.details.csv"));
  EXPECT_EQ(outcome(convert(), file), "converted");
  EXPECT_EQ(tools_.calls(), 4U);
}

TEST_F(Converting, TakesTheReasonFromStandardOutputOfNcu) {
  EXPECT_TRUE(contains(outcome_of_one("a.ncu-rep", "fail"), "exit code 1: ==ERROR== Failed"));
  EXPECT_EQ(outcome_of_one("a.ncu-rep", "nothing"),
            "ncu reported success and its export holds no table of Nsight Compute: ==WARNING== No kernels were "
            "profiled.");
  EXPECT_TRUE(contains(outcome_of_one("a.ncu-rep", "half"), "its export ends inside a line"));
  EXPECT_TRUE(equals(all_below(reports_.path()), {"a.ncu-rep"}));
}

TEST_F(Converting, LinksAreNotFollowedInCircles) {
  report("a/one.nsys-rep", "export");
  fs::create_directory_symlink(reports_.path(), at("a/loop"));
  fs::create_symlink("nowhere", at("a/dangling.nsys-rep"));
  const ConvertResult result = convert();
  EXPECT_EQ(outcome(result, at("a/one.nsys-rep")), "converted");
  EXPECT_EQ(outcome(result, at("a/dangling.nsys-rep")), "it is a dangling link; repair or remove it");
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_TRUE(contains(result.notes[0], "a/loop: this link leads to a folder"));
}

TEST_F(Converting, RejectsNonReportsWithoutNsys) {
  report("empty.nsys-rep", "");
  write_text(at("empty.nsys-rep"), "");
  report("pointer.nsys-rep", "version https://git-lfs.github.com/spec/v1");
  fs::create_directory(at("folder.nsys-rep"));
  report("folder.nsys-rep/in.nsys-rep", "export");
  const ConvertResult result = convert();
  EXPECT_TRUE(contains(outcome(result, at("empty.nsys-rep")), "it is empty"));
  EXPECT_TRUE(contains(outcome(result, at("pointer.nsys-rep")), "git lfs pull"));
  EXPECT_TRUE(contains(outcome(result, at("folder.nsys-rep")), "a regular file"));
  EXPECT_EQ(outcome(result, at("folder.nsys-rep/in.nsys-rep")), "converted");
  EXPECT_EQ(tools_.calls(), 1U);
}

TEST_F(Converting, ConvertsTheFirstOfTwoReportsWithOneExport) {
  const fs::path first = report("a.nsys-rep", "export"), second = report("a.qdrep", "export");
  const ConvertResult result = convert();
  EXPECT_EQ(outcome(result, first), "converted");
  EXPECT_EQ(outcome(result, second),
            "its export would be a.sqlite, which is also that of a.nsys-rep; rename one of them");
}

TEST_F(Converting, PlacesMayOverlap) {
  const fs::path file = report("a/one.nsys-rep", "export");
  options_.places = {file, at("a"), reports_.path()};
  EXPECT_EQ(convert().reports.size(), 1U);
  EXPECT_EQ(tools_.calls(), 1U);
}

TEST_F(Converting, PlacesMustBeThere) {
  const auto sentence = [&](const fs::path& place) {
    options_.places = {place};
    const auto result = convert_reports(options_, [](std::size_t, std::size_t) {}, stop_);
    return result ? "none" : result.error().sentence;
  };
  write_text(at("a.sqlite"), "x");
  EXPECT_TRUE(contains(sentence(at("nowhere")), "does not exist"));
  EXPECT_TRUE(contains(sentence(at("a.sqlite")), "expected a .nsys-rep, .qdrep or .ncu-rep file"));
}

}  // namespace assay::testing::convert_test
