#include "discover/discover.hpp"

#include <unistd.h>

#include <atomic>
#include <thread>

#include "config/nsys_database.hpp"
#include "config/question_of.hpp"
#include "files/same_content.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::discover_test {

constexpr const char* kDims =
    "[labels]\npatterns = [\"d{d}\"]\nd = {type=\"int\"}\nmode = {default=\"none\"}\n"
    "[[labels.suffix]]\nmatch = \"_{mode}\"\n";

class Discover : public ::testing::Test {
 protected:
  static Question question(const std::string& toml) { return question_of("[question]\nid = \"q\"\n" + toml); }

  Catalog found(const std::vector<Question>& questions, std::vector<fs::path> folders) {
    auto catalog = discover(questions, folders);
    if (!catalog) throw std::runtime_error(catalog.error().sentence);
    return std::move(*catalog);
  }

  /// Names of all files, or of the entries of a question in a role.
  static std::vector<std::string> names(const Catalog& catalog) {
    std::vector<std::string> out;
    for (const FoundFile& file : catalog.files) out.push_back(file.name);
    return out;
  }
  static std::vector<std::string> names(const Catalog& catalog, ReportRole role, std::size_t q = 0) {
    std::vector<std::string> out;
    for (const CatalogEntry& entry : catalog.questions[q].entries) {
      if (entry.role == role) out.push_back(catalog.files[entry.file].name);
    }
    return out;
  }

  void report(const fs::path& below) { write_nsys(folder_ / below, "report " + std::to_string(100 + ++salt_)); }

  TempFolder folder_;

 private:
  int salt_ = 0;  // reports have equal size and different content
};

TEST_F(Discover, WalksEverythingInBytewiseOrder) {
  report("b/d1.sqlite");
  report("b.sqlite");
  report("a/x/d2.sqlite");
  folder_.write("a/results.json", "{}");
  const Catalog catalog = found({question("")}, {folder_.path()});
  EXPECT_TRUE(equals(names(catalog), {"a/results.json", "a/x/d2.sqlite", "b.sqlite", "b/d1.sqlite"}));
  EXPECT_TRUE(equals(names(catalog, ReportRole::kQuestion), {"a/x/d2.sqlite", "b.sqlite", "b/d1.sqlite"}));
  EXPECT_EQ(catalog.files[0].kind, FileKind::kSidecar);
}

TEST_F(Discover, SeveralFoldersPrefixTheirNamesAndNoFileIsTakenTwice) {
  report("one/run/d1.sqlite");
  report("two/run/d1.sqlite");
  const Catalog catalog =
      found({question("")}, {folder_ / "one/run", folder_ / "two/run", folder_ / "one", folder_ / "one/run/."});
  EXPECT_TRUE(equals(names(catalog), {"run/d1.sqlite", "run~2/d1.sqlite"}));
}

TEST_F(Discover, TheFolderOfAQuestionIsReadAloneWhereItIs) {
  report("rq1/d1.sqlite");
  report("deep/rq1/sub/d2.sqlite");
  report("rq10/d3.sqlite");
  report("xrq1/d4.sqlite");
  const Question rq1 = question("[reports]\nfolder = \"rq1\"\n");
  EXPECT_TRUE(equals(names(found({rq1}, {folder_.path()}), ReportRole::kQuestion),
                     {"deep/rq1/sub/d2.sqlite", "rq1/d1.sqlite"}));
  EXPECT_TRUE(equals(names(found({rq1}, {folder_ / "rq1"}), ReportRole::kQuestion), {"d1.sqlite"}))
      << "--reports itself";
  EXPECT_TRUE(
      equals(names(found({question("[reports]\nfolder = \"deep/rq1/\"\n")}, {folder_.path()}), ReportRole::kQuestion),
             {"deep/rq1/sub/d2.sqlite"}));
  const Catalog without = found({rq1}, {folder_ / "rq10"});
  EXPECT_TRUE(equals(names(without, ReportRole::kQuestion), {"d3.sqlite"}));
  EXPECT_TRUE(each_contains(without.questions[0].notes, {"folder 'rq1' was not found"}));
  folder_.write("rq10/journal.jsonl", "");
  EXPECT_TRUE(is_empty(found({rq1}, {folder_ / "rq10"}).questions[0].notes)) << "a recording of this question alone";
}

TEST_F(Discover, GlobsChooseBelowReports) {
  report("a/d1.sqlite");
  report("a/d2.sqlite");
  report("old/d3.sqlite");
  const auto chosen = [&](const char* toml) {
    return names(found({question(toml)}, {folder_.path()}), ReportRole::kQuestion);
  };
  EXPECT_TRUE(equals(chosen("[reports]\ninclude = [\"a/*\"]\n"), {"a/d1.sqlite", "a/d2.sqlite"}));
  EXPECT_TRUE(equals(chosen("[reports]\nexclude = [\"old/**\", \"d2*\"]\n"), {"a/d1.sqlite"}));
}

TEST_F(Discover, NoiseIsFoundBelowThenBesideThenFromTheTomlThenAsAPath) {
  report("set/rq1/d1.sqlite");
  report("set/rq3/d2.sqlite");
  report("elsewhere/rq4/d3.sqlite");
  const auto with_noise = [&](const std::string& name) {
    return question("[reports]\nfolder = \"rq1\"\n[noise]\nreports = [\"" + name + "\"]\n");
  };
  const Catalog below = found({with_noise("rq3")}, {folder_ / "set"});
  EXPECT_TRUE(equals(names(below, ReportRole::kNoise), {"rq3/d2.sqlite"}));
  const Catalog beside = found({with_noise("rq3")}, {folder_ / "set/rq1"});
  EXPECT_TRUE(equals(names(beside, ReportRole::kQuestion), {"d1.sqlite"}));
  EXPECT_TRUE(equals(names(beside, ReportRole::kNoise), {"rq3/d2.sqlite"})) << "named by its own folder";
  Question from_toml = with_noise("../rq4");
  from_toml.file = folder_ / "elsewhere/configs/q.toml";
  fs::create_directories(folder_ / "elsewhere/configs");
  EXPECT_TRUE(equals(names(found({from_toml}, {folder_ / "set"}), ReportRole::kNoise), {"rq4/d3.sqlite"}));
  const Catalog path = found({with_noise((folder_ / "elsewhere/rq4").string())}, {folder_ / "set"});
  EXPECT_TRUE(equals(names(path, ReportRole::kNoise), {"rq4/d3.sqlite"}));
  const Catalog nowhere = found({with_noise("rq9")}, {folder_ / "set"});
  EXPECT_TRUE(each_contains(nowhere.questions[0].notes, {"[noise] folder 'rq9' was not found"}));
}

TEST_F(Discover, AReportThatIsQuestionAndNoiseIsQuestion) {
  report("rq1/d1.sqlite");
  const Catalog catalog = found({question("[noise]\nreports = [\"rq1\"]\n")}, {folder_.path()});
  EXPECT_TRUE(equals(names(catalog, ReportRole::kQuestion), {"rq1/d1.sqlite"}));
  EXPECT_TRUE(is_empty(names(catalog, ReportRole::kNoise)));
}

TEST_F(Discover, EqualBytesAreUsedOnceAndListed) {
  report("b/d1.sqlite");
  fs::copy_file(folder_ / "b/d1.sqlite", folder_ / "b/d2.sqlite");
  fs::create_directory(folder_ / "a_noise");
  fs::copy_file(folder_ / "b/d1.sqlite", folder_ / "a_noise/d3.sqlite");
  report("b/d4.sqlite");
  ASSERT_EQ(fs::file_size(folder_ / "b/d1.sqlite"), fs::file_size(folder_ / "b/d4.sqlite")) << "same size, other bytes";
  const Catalog catalog =
      found({question("[reports]\nfolder = \"b\"\n[noise]\nreports = [\"a_noise\"]\n")}, {folder_.path()});
  EXPECT_TRUE(equals(names(catalog, ReportRole::kQuestion), {"b/d1.sqlite", "b/d4.sqlite"}));
  EXPECT_TRUE(is_empty(names(catalog, ReportRole::kNoise))) << "a copy is no second measurement";
  EXPECT_TRUE(equals(catalog.questions[0].completeness.duplicate, {"a_noise/d3.sqlite", "b/d2.sqlite"}));
}

/// A count that never changes makes exports equal byte for byte.
TEST_F(Discover, RunsOfARecordingAreNotCopiesOfEachOther) {
  report("day/profiles/block_001/d1.sqlite");
  const auto copy = [&](const char* to) {
    fs::create_directories((folder_ / to).parent_path());
    fs::copy_file(folder_ / "day/profiles/block_001/d1.sqlite", folder_ / to);
  };
  copy("day/profiles/block_002/d1.sqlite");
  EXPECT_EQ(found({question("")}, {folder_.path()}).questions[0].entries.size(), 1U) << "no journal tells them apart";
  folder_.write("day/journal.jsonl", "");
  copy("day/profiles/block_002/aa/d1.sqlite");
  copy("again/profiles/block_001/d1.sqlite");
  folder_.write("again/journal.jsonl", "");
  copy("elsewhere/d1.sqlite");
  const Catalog catalog = found({question("")}, {folder_.path()});
  EXPECT_EQ(catalog.questions[0].entries.size(), 3U);
  EXPECT_TRUE(
      equals(catalog.questions[0].completeness.duplicate, {"day/profiles/block_001/d1.sqlite", "elsewhere/d1.sqlite"}))
      << "the same run of a copied recording, and a copy of a run";
}

TEST_F(Discover, EqualBytesUnderTwoNamesAreTwoClaims) {
  report("d1.sqlite");
  fs::copy_file(folder_ / "d1.sqlite", folder_ / "d2.sqlite");
  fs::copy_file(folder_ / "d1.sqlite", folder_ / "d2_fast.sqlite");
  fs::create_directory(folder_ / "again");
  fs::copy_file(folder_ / "d1.sqlite", folder_ / "again/d1.sqlite");
  const Catalog catalog = found({question(std::string(kDims))}, {folder_.path()});
  EXPECT_TRUE(equals(catalog.questions[0].completeness.duplicate, {"d1.sqlite", "d2.sqlite", "d2_fast.sqlite"}));
  std::vector<std::string> claims;
  for (const FoundIssue& issue : catalog.questions[0].issues) {
    if (issue.name == "two_claims") claims.push_back(issue.file + ": " + issue.text);
  }
  const auto& contested = catalog.questions[0].entries.at(0).contested;
  ASSERT_EQ(contested.size(), 3U) << "d of two copies, and the suffix of one";
  EXPECT_EQ(contested[0].file, "d2.sqlite");
  ASSERT_EQ(claims.size(), 2U) << "a copy under the same name is a copy";
  EXPECT_TRUE(contains(claims[0], "d2.sqlite: It is a copy of again/d1.sqlite but claims d 2 where that says d 1"));
}

/// Bytes that this process has read from files so far; nothing where the system does not tell.
std::optional<std::uint64_t> bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  if (io >> name >> bytes && name == "rchar:") return bytes;
  return std::nullopt;
}

TEST_F(Discover, FilesThatDifferLateAreReadOnce) {
  constexpr std::size_t kFiles = 40, kBytes = 1U << 20;
  std::vector<SizedFile> files(kFiles);
  for (std::size_t i = 0; i < kFiles; ++i) {
    std::string bytes(kBytes, 'x');
    bytes[kBytes - 50000] = static_cast<char>('a' + i / 2 % 26);
    bytes[kBytes - 49999] = static_cast<char>('a' + i / 52);
    const std::string name = "d" + std::to_string(i) + ".sqlite";
    folder_.write(name, bytes);
    files[i] = {folder_ / name, kBytes};
  }
  const auto before = bytes_read();
  const std::vector<std::size_t> first = first_with_same_content(files);
  const auto after = bytes_read();
  for (std::size_t i = 0; i < kFiles; ++i) EXPECT_EQ(first[i], i / 2 * 2) << "every second is a copy of the one before";
  if (!before || !after) GTEST_SKIP() << "/proc/self/io cannot be read: how much was read is not known";
  EXPECT_LT(*after - *before, 5 * kFiles * kBytes / 2) << "once for the digest, once more to compare a copy";
}

TEST_F(Discover, FilesWhoseDigestsAreKnownAreNotRead) {
  const files::Digest one{1, 2}, other{3, 4};
  const auto gone = [&](const char* name, const files::Digest& digest) {
    return SizedFile{folder_ / name, 1000, true, digest};
  };
  EXPECT_TRUE(equals(first_with_same_content({gone("a", one), gone("b", other), gone("c", one), gone("d", other)}),
                     {0U, 1U, 0U, 1U}))
      << "none of them is there";
}

TEST_F(Discover, EqualLabelsAndOtherBytesAreReplicates) {
  report("x/d1.sqlite");
  report("y/d1.sqlite");
  const Catalog catalog = found({question(std::string(kDims) + "[[matrix]]\nd = [1]\n")}, {folder_.path()});
  EXPECT_EQ(catalog.questions[0].entries.size(), 2U);
  EXPECT_EQ(catalog.questions[0].completeness.present, 1U);
  EXPECT_TRUE(is_empty(catalog.questions[0].completeness.duplicate));
}

TEST_F(Discover, CompletenessCountsCells) {
  report("d1.sqlite");
  report("d2_fast.sqlite");
  report("d3.sqlite");
  folder_.write("d4.sqlite", "");
  const Catalog catalog = found({question(std::string(kDims) + "[[matrix]]\nd = [1, 2, 4]\n")}, {folder_.path()});
  const Completeness& c = catalog.questions[0].completeness;
  EXPECT_EQ(c.expected, 3U);
  EXPECT_EQ(c.present, 1U) << "d2 is expected with the default mode, d4 cannot be read";
  ASSERT_EQ(c.missing.size(), 2U);
  EXPECT_EQ(c.missing[0].str(), "d=2");
  EXPECT_EQ(c.missing[1].str(), "d=4");
  EXPECT_TRUE(equals(c.unexpected, {"d2_fast.sqlite", "d3.sqlite"}));
  EXPECT_TRUE(equals(c.unreadable, {"d4.sqlite"}));
}

TEST_F(Discover, ANameUnderstoodInPartGivesNoLabels) {
  report("d1.sqlite");
  report("d1_a_b.sqlite");
  report("other.sqlite");
  report("noise/d1_a_b.sqlite");
  const Catalog catalog = found({question("[reports]\nexclude = [\"noise/*\"]\n[noise]\nreports = [\"noise\"]\n" +
                                          std::string(kDims) + "[[matrix]]\nd = 1\n")},
                                {folder_.path()});
  const auto& entries = catalog.questions[0].entries;
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].labels.size(), 2U);
  EXPECT_TRUE(is_empty(entries[1].labels));
  EXPECT_TRUE(each_contains(entries[1].name_problems, {"'mode'"}));
  EXPECT_EQ(catalog.files[entries[2].file].name, "noise/d1_a_b.sqlite");
  EXPECT_TRUE(is_empty(entries[2].name_problems));
  EXPECT_EQ(entries[2].labels.size(), 1U);
  EXPECT_TRUE(size_is(entries[3].name_problems, 1));
  EXPECT_TRUE(each_contains(catalog.questions[0].notes, {"(2) have no labels"}));
  EXPECT_TRUE(equals(catalog.questions[0].completeness.unexpected, {"d1_a_b.sqlite", "other.sqlite"}));
}

TEST_F(Discover, OpenTextsAreNumberedAsTheySort) {
  report("d1_b.sqlite");
  report("d1_a.sqlite");
  report("d1_c.sqlite");
  const Catalog catalog = found({question(kDims)}, {folder_.path()});
  std::vector<std::pair<std::string, double>> modes;
  for (const CatalogEntry& entry : catalog.questions[0].entries)
    modes.emplace_back(entry.labels[1].text, entry.labels[1].order);
  EXPECT_TRUE(equals(modes, {{"a", 0}, {"b", 1}, {"c", 2}}));
}

TEST_F(Discover, DamagedFilesBecomeRowsAndDoNotEndTheRun) {
  folder_.write("empty.sqlite", "");
  folder_.write("text.sqlite", "text");
  fs::create_directories(folder_ / "dir.sqlite/inner");
  report("dir.sqlite/inner/d1.sqlite");
  fs::create_symlink("nowhere", folder_ / "dangling.sqlite");
  fs::create_directory_symlink(".", folder_ / "loop");
  const Catalog catalog = found({question("")}, {folder_.path()});
  EXPECT_TRUE(equals(catalog.questions[0].completeness.unreadable,
                     {"dangling.sqlite", "dir.sqlite", "empty.sqlite", "text.sqlite"}));
  EXPECT_EQ(catalog.questions[0].entries.size(), 5U) << "the report inside of the folder named like one is read";
  EXPECT_TRUE(each_contains(catalog.questions[0].notes, {"loop leads to a folder that holds --reports itself"}));
}

TEST_F(Discover, LinksToFoldersAreFollowedAndEachFolderIsReadOnce) {
  const TempFolder elsewhere;
  report("own/d1.sqlite");
  fs::create_directories(elsewhere / "far/deep");
  for (const char* name : {"far/d2.sqlite", "far/deep/d3.sqlite"}) {
    report("moved.sqlite");
    fs::rename(folder_ / "moved.sqlite", elsewhere / name);
  }
  fs::create_directory_symlink(elsewhere / "far", folder_ / "linked");
  fs::create_directory_symlink(elsewhere / "far", folder_ / "linked_again");
  fs::create_directory_symlink(folder_ / "own", folder_ / "a_second_name");
  fs::create_directory_symlink(elsewhere / "far", elsewhere / "far/deep/back");
  fs::create_directory_symlink(folder_.path().parent_path(), folder_ / "up");
  const Catalog catalog = found({question("")}, {folder_.path()});
  EXPECT_TRUE(permutes(names(catalog), {"own/d1.sqlite", "linked/d2.sqlite", "linked/deep/d3.sqlite"}));
  EXPECT_TRUE(each_contains(catalog.questions[0].notes, {"up leads to a folder"}));
  const Catalog both = found({question("")}, {folder_.path(), elsewhere.path()});
  EXPECT_EQ(both.files.size(), 3U) << "a file that two of --reports lead to is one";
}

TEST_F(Discover, NamesOfAnyBytesArePrintable) {
  report("a\xff\xc3\xa9\n.sqlite");
  report("a%FF\xc3\xa9%0A.sqlite");
  const Catalog catalog = found({question("")}, {folder_.path()});
  EXPECT_TRUE(permutes(names(catalog), {"a%FF\xc3\xa9%0A.sqlite", "a%FF\xc3\xa9%0A.sqlite~2"}));
  for (const FoundFile& file : catalog.files) EXPECT_EQ(file.kind, kind::kNsys);
}

TEST_F(Discover, VeryDeepTreesAreWalkedAsFarAsTheSystemLets) {
  report("d1.sqlite");
  fs::path deep = folder_.path();
  for (int i = 0; i < 150; ++i) deep /= "a_folder_name_of_some_length";
  std::error_code failed;
  fs::create_directories(deep, failed);
  const Catalog catalog = found({question("")}, {folder_.path()});
  EXPECT_TRUE(includes(names(catalog, ReportRole::kQuestion), "d1.sqlite"));
}

TEST_F(Discover, AFolderThatCannotBeListedIsARow) {
  if (geteuid() == 0) GTEST_SKIP() << "running as root: every folder can be listed, so this cannot be tested here";
  report("d1.sqlite");
  fs::create_directory(folder_ / "closed");
  fs::permissions(folder_ / "closed", fs::perms::none);
  const Catalog catalog = found({question("")}, {folder_.path()});
  fs::permissions(folder_ / "closed", fs::perms::owner_all);
  EXPECT_TRUE(equals(catalog.questions[0].completeness.unreadable, {"closed"}));
}

TEST_F(Discover, LooksAtNoMoreFilesOnceInterrupted) {
  const std::size_t files = 8 * std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < files; ++i) report("d" + std::to_string(i) + ".sqlite");
  std::atomic<bool> stop{false};
  std::atomic<std::size_t> looked{0};
  const auto interrupt = [&](std::size_t, std::size_t) {
    ++looked;
    stop = true;
  };
  const fs::path folders[] = {folder_.path()};
  const auto catalog = discover({question("")}, folders, interrupt, nullptr, &stop);
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().exit, Exit::kInterrupted);
  EXPECT_LE(looked.load(), files / 8) << "each worker ends the file that it has";
}

TEST_F(Discover, FoldersThatAreNotThereOrHoldNoReportAreErrors) {
  const auto sentence = [&](const fs::path& path) {
    const fs::path folders[] = {path};
    const auto catalog = discover({question("")}, folders);
    EXPECT_TRUE(catalog.ok() || catalog.error().exit == Exit::kUsage);
    return catalog ? std::string("found") : catalog.error().sentence;
  };
  EXPECT_TRUE(contains(sentence(folder_ / "no"), "does not exist"));
  EXPECT_EQ(sentence(folder_.write("file", "x")), "found") << "a file is a place too";
  folder_.write("empty/readme.txt", "x");
  EXPECT_TRUE(contains(sentence(folder_ / "empty"), "no profile in"));
  folder_.write("empty/bad.sqlite", "");
  EXPECT_EQ(sentence(folder_ / "empty"), "found") << "what should have been a report is a row and no error";
}

TEST_F(Discover, AFileOfSeveralQuestionsIsFoundOnce) {
  report("d1.sqlite");
  Question other = question("");
  other.id = "other";
  const Catalog catalog = found({question(""), other}, {folder_.path()});
  EXPECT_EQ(catalog.files.size(), 1U);
  EXPECT_EQ(catalog.questions[0].entries[0].file, catalog.questions[1].entries[0].file);
}

}  // namespace assay::discover_test
