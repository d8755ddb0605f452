// What a format does wrong is refused with its name, and harms no other file.
#include "analyze/isolated.hpp"
#include "catalog/catalog.hpp"
#include "discover/discover.hpp"
#include "load/format.hpp"
#include "load/load.hpp"
#include "plugins/formats.hpp"
#include "support/test.hpp"

namespace assay {
namespace hostile_test {

const std::filesystem::path kFolders = ASSAY_FORMAT_FOLDERS;

class Hostile : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::filesystem::path folders[] = {kFolders / "libraries"};
    load_formats(folders);
  }

  FoundFile found(const std::string& deed) {
    const std::filesystem::path file = folder_ / (deed + ".hostile");
    std::ofstream(file) << "hostile " << deed << "\n";
    FoundFile found = sniff(file, deed);
    EXPECT_EQ(found.kind.word, "hostile");
    return found;
  }
  Result<Profile> load(const std::string& deed) {
    const FoundFile file = found(deed);
    return load_profile({file.path, file.kind}, deed,
                        {col::kernels, col::kernel_name, col::calls, col::declared, col::thread_names});
  }
  TempFolder folder_;
};

TEST_F(Hostile, LoadsSoundFiles) {
  const auto profile = load("nothing");
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  EXPECT_EQ(view->report().kernels->rows, 3U);
}

TEST_F(Hostile, CellsThatAreNotSoundAreRefused) {
  for (const auto& [deed, words] :
       std::map<std::string, std::string>{{"lengths", "filled 2 rows of kernels.device and 3 of others"},
                                          {"text", "gave kernels.name the text 4000000000 in row 0"},
                                          {"process", "gave kernels.process the process 7 in row 0"},
                                          {"computed", "filled kernels.call, which the host computes"},
                                          {"column", "asked for a column at byte 4242 of table 1"},
                                          {"table", "asked for a column at byte 8 of table 99"},
                                          {"rows", "asked for 1099511627776 rows"},
                                          {"enumerator", "gave calls.kind the value 200 in row 0"},
                                          {"order", "gave row 1 of odd_rows a time that comes before"},
                                          {"row", "gave odd_rows.thread in row 0 a row of threads that there is not"},
                                          {"kind", "filled odd_rows.time with reals, and declares integers"},
                                          {"undeclared", "filled a table 'unheard_of', which it does not declare"},
                                          {"links", "filled 2 rows of a link of kernels and 3 of others"},
                                          {"communicator", "gave a communicator of ranges a text that there is not"},
                                          {"collective", "gave collectives.kernel the row of kernels 7 in row 0"},
                                          {"derives", "gave row 0 of odd_rows a time that is none"},
                                          {"thread", "named a thread of process 5 of 0"}}) {
    const auto profile = load(deed);
    ASSERT_FALSE(profile) << deed;
    EXPECT_EQ(profile.error().exit, Exit::kFailed);
    EXPECT_TRUE(contains(profile.error().sentence, "the format 'hostile' " + words)) << profile.error().sentence;
    EXPECT_TRUE(contains(profile.error().remedy, "hostile.so")) << deed;
  }
}

TEST_F(Hostile, KernelsKeepTheOperatorsThatTheFormatStates) {
  const FoundFile file = found("operators");
  const auto profile = load_profile({file.path, file.kind}, "operators",
                                    {col::kernels, col::kernel_op, col::ops, col::collectives, col::declared});
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  const Report& report = view->report();
  EXPECT_EQ(std::vector<std::int64_t>(report.ops->start.begin(), report.ops->start.end()),
            (std::vector<std::int64_t>{400, 500}));
  EXPECT_EQ(std::vector<Row>(report.kernels->op.begin(), report.kernels->op.end()), (std::vector<Row>{kNone, 0, 1}))
      << "by id, while the rows of both are sorted; 99 is no operator";
  const CollectiveTable& collectives = *report.collectives;
  EXPECT_EQ(std::vector<Row>(collectives.kernel.begin(), collectives.kernel.end()), (std::vector<Row>{0, 2}));
  EXPECT_EQ(std::vector<std::int64_t>(collectives.sent.begin(), collectives.sent.end()),
            (std::vector<std::int64_t>{101, 100}))
      << "of the last kernel in the file, which is the first in time, and of the first";
  EXPECT_EQ(report.table("odd_rows")->integers("time")[1], 500) << "derived from operators in their order";
}

TEST_F(Hostile, WhatLinksIsCompletedByTheHost) {
  const FoundFile file = found("linked");
  const auto profile =
      load_profile({file.path, file.kind}, "linked",
                   {col::kernels, col::calls, col::ranges, col::causes, col::declared, col::thread_names});
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  const Report& report = view->report();
  EXPECT_EQ(std::vector<Row>(report.kernels->call.begin(), report.kernels->call.end()),
            (std::vector<Row>{0, kNone, kNone}));
  EXPECT_EQ(report.kernels->process[0], 0U) << "the only one";
  EXPECT_EQ(report.threads->priority[0], 20);
  const DeclaredTable* odd = report.table("odd_rows");
  ASSERT_NE(odd, nullptr);
  EXPECT_EQ(odd->integers("range")[0], 0);
  EXPECT_EQ(odd->integers("range")[1], kNone);
  ASSERT_EQ(report.causes->rows, 2U) << "without the time of the call";
  EXPECT_EQ(report.causes->start[0], 0);
  EXPECT_EQ(report.causes->end[0], 5);
  EXPECT_EQ(report.causes->start[1], 8);
  EXPECT_EQ(report.causes->end[1], 10);
}

TEST_F(Hostile, ReportsTheTextOfAnException) {
  EXPECT_TRUE(contains(load("throws").error().sentence, "cannot be read as hostile file: line 3 is none"));
  EXPECT_TRUE(contains(load("throws_anything").error().sentence, "threw something"));
}

TEST_F(Hostile, AWriteBeyondItsCellsAndAHangEndTheProcessThatTries) {
  const process::Limits limits{std::chrono::seconds(2), std::uint64_t{1} << 30};
  for (const auto& [deed, words] :
       std::map<std::string, std::string>{{"nothing", ""},
                                          {"lengths", ""},
                                          {"beyond", "the format 'hostile' crashed with SIGSEGV when it read it"},
                                          {"hangs", "the format 'hostile' was stopped after 2 s when it read it"}}) {
    const Status tried = rehearse_reading({found(deed)}, {col::kernels}, limits);
    EXPECT_EQ(tried.ok(), words.empty()) << deed;
    EXPECT_EQ(tried.ok()
                  ? ""
                  : tried.error().sentence.substr(tried.error().sentence.find("the format")).substr(0, words.size()),
              words);
  }
  EXPECT_TRUE(load("nothing")) << "this process is as it was";
}

TEST(FaultyFormats, AreRefusedWhenTheyAreLoaded) {
  for (const auto& [fault, words] :
       std::map<std::string, std::string>{{"greedy", "says of an empty file that it is one of its own"},
                                          {"older", "was built for format ABI 0.0 and this host has 1.0"},
                                          {"clashing", "declares the table 'kernels', which there is already"},
                                          {"unlike", "'memory_stacks', which there is already with other columns"},
                                          {"nameless", "has an id with other characters"},
                                          {"recorder", "names what records its files"},
                                          {"smaller", "has structures of other sizes than this host"}}) {
    const std::filesystem::path folders[] = {kFolders / fault};
    const std::size_t before = load::formats().size();
    const std::vector<RefusedPlugin> refused = load_formats(folders);
    ASSERT_EQ(refused.size(), 1U) << fault;
    EXPECT_TRUE(contains(refused[0].sentence, words)) << refused[0].sentence;
    EXPECT_EQ(load::formats().size(), before);
  }
}

}  // namespace hostile_test
}  // namespace assay
