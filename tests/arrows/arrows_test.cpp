#include "arrows.hpp"

#include "support/test.hpp"

namespace assay::test::arrows_test {

std::string text_of(const std::string& file) { return read_text(std::string(ASSAY_SOURCE_DIR "/") + file); }

TEST(Arrows, EachRoomOfTheHostIncludesOnlyEarlierOnes) {
  const std::vector<std::string> rooms = rooms_of(text_of("core/CMakeLists.txt"));
  const std::vector<Include> includes = includes_of_the_host(ASSAY_SOURCE_DIR);
  ASSERT_GT(rooms.size(), 15U);
  ASSERT_GT(includes.size(), 500U);
  EXPECT_TRUE(is_empty(backward(rooms, includes)));
}

/// The host, and the tools that come earlier in their list.
TEST(Arrows, EachToolIncludesTheHostAndEarlierTools) {
  std::vector<std::string> rooms = rooms_of(text_of("core/CMakeLists.txt"));
  const std::vector<std::string> tools = tools_of(text_of("tools/CMakeLists.txt"));
  const std::vector<Include> includes = includes_below(ASSAY_SOURCE_DIR "/tools");
  ASSERT_GT(tools.size(), 10U);
  ASSERT_GT(includes.size(), 500U);
  rooms.emplace_back("query");
  rooms.insert(rooms.end(), tools.begin(), tools.end());
  EXPECT_TRUE(is_empty(backward(rooms, includes)));
}

TEST(Arrows, SqlIncludesTheHostAlone) {
  std::vector<std::string> rooms = rooms_of(text_of("core/CMakeLists.txt"));
  rooms.back() = "query";  // in the place of the commands
  std::vector<Include> includes = includes_below(ASSAY_SOURCE_DIR "/query");
  ASSERT_GT(includes.size(), 40U);
  for (Include& include : includes) include.file = "query/" + include.file;
  EXPECT_TRUE(is_empty(backward(rooms, includes)));
}

TEST(Arrows, NoFoldersIncludeEachOther) {
  std::vector<Include> includes = includes_of_the_host(ASSAY_SOURCE_DIR);
  const std::vector<Include> of_tools = includes_below(ASSAY_SOURCE_DIR "/tools");
  includes.insert(includes.end(), of_tools.begin(), of_tools.end());
  EXPECT_TRUE(is_empty(circles(includes)));
}

TEST(Arrows, TheDocumentsNameEachRoomInOrder) {
  const std::string code = text_of("docs/code.md");
  std::size_t at = code.find("# The code");
  ASSERT_NE(at, std::string::npos);
  std::vector<std::string> rooms = rooms_of(text_of("core/CMakeLists.txt"));
  const std::vector<std::string> tools = tools_of(text_of("tools/CMakeLists.txt"));
  rooms.emplace_back("query");
  rooms.insert(rooms.end(), tools.begin(), tools.end());
  for (const std::string& room : rooms) {
    const std::size_t found = code.find("`" + room + "`", at);
    ASSERT_NE(found, std::string::npos) << room << " is not named, or not in the order of core/CMakeLists.txt";
    at = found;
  }
}

TEST(Arrows, EachFloorIncludesOnlyThoseBelowIt) {
  const std::map<std::string, std::set<std::string>> may = {{"base", {}},
                                                            {"model", {"base"}},
                                                            {"study", {"base", "model"}},
                                                            {"output", {"base", "model", "study"}},
                                                            {"cli", {"base", "model", "study", "output"}}};
  EXPECT_TRUE(
      is_empty(off_floor(floors_of(text_of("core/CMakeLists.txt")), may, includes_of_the_host(ASSAY_SOURCE_DIR))));
}

TEST(Arrows, TheHostIncludesNothingOfFormats) {
  std::size_t all = 0;
  for (const Include& include : includes_of_the_host(ASSAY_SOURCE_DIR)) {
    EXPECT_FALSE(include.header.starts_with("formats/")) << include.file << " includes " << include.header;
    ++all;
  }
  EXPECT_GT(all, 500U);
}

/// What formats may include of the host: the floor core/base, and the report model.
TEST(Arrows, FormatsIncludeTheReportModelAndWhatIsBelowIt) {
  const std::set<std::string> may = {"formats", "load", "sqlite", "files", "process", "tables", "cache", ""};
  std::size_t all = 0;
  for (const Include& include : includes_below(ASSAY_SOURCE_DIR "/formats")) {
    const std::size_t slash = include.header.find('/');
    EXPECT_TRUE(may.contains(slash == std::string::npos ? "" : include.header.substr(0, slash)))
        << include.file << " includes " << include.header;
    ++all;
  }
  EXPECT_GT(all, 150U);
}

TEST(Arrows, TheSdkIncludesItselfAloneAndPluginsItAndTheAlgorithms) {
  for (const char* folder : {"/sdk/include", "/sdk/src", "/sdk/testing"})
    EXPECT_TRUE(is_empty(beyond_the_sdk(std::string(ASSAY_SOURCE_DIR) + folder, "assay/testing/"))) << folder;
  for (const char* folder : {"/algo", "/plugins"})
    EXPECT_TRUE(is_empty(beyond_the_sdk(std::string(ASSAY_SOURCE_DIR) + folder, "algo/"))) << folder;
}

/// What has no promise is for the host and for single analyzers: the headers that most include have none of it.
TEST(Arrows, AnalyzersReachIntoNoDetail) {
  EXPECT_EQ(texts_like({ASSAY_SOURCE_DIR "/plugins"}, R"((^|[^:a-z_])(assay::)?detail::[a-z])"), 0U);
}

TEST(Arrows, OnlyThePipelinePlansAndRunsQuestions) {
  const std::vector<std::string> above = {ASSAY_SOURCE_DIR "/core/output", ASSAY_SOURCE_DIR "/tools",
                                          ASSAY_SOURCE_DIR "/cli"};
  EXPECT_EQ(texts_like(above, R"(\b(gather|conclude)\(\{[a-z_.>()*-]*plan|\badd_to\(|\banalyze\(\*?plan)"), 0U);
  // `plan` asks which analyzers could be added to a question.
  EXPECT_LE(texts_like(above, R"(\bmake_plan\()"), 1U);
}

/// Pages of HTML have the head of render/html/html.hpp, with its content security policy; tables of Markdown are
/// written by render/markdown_parts.hpp, which escapes their cells.
TEST(Arrows, PagesAndTablesHaveOneWriterEach) {
  const std::vector<std::string> host = {ASSAY_SOURCE_DIR "/core", ASSAY_SOURCE_DIR "/cli", ASSAY_SOURCE_DIR "/tools"};
  EXPECT_EQ(texts_like(host, R"(<!(doctype|DOCTYPE))"), 1U);
  EXPECT_EQ(texts_like(host, R"(\|(---|---:)\|)"), 0U);
}

// What the checks above are worth: synthetic includes that break each rule.

const std::vector<std::string> kRooms = {"files", "load/btree", "load", "discover", "cli"};

TEST(ArrowsCheck, AnIncludeOfALaterRoomIsTold) {
  EXPECT_TRUE(each_contains(backward(kRooms, {{"load/load.cpp", "discover/walk.hpp"}}),
                            {"load/load.cpp includes discover/walk.hpp of a room that comes later"}));
  EXPECT_TRUE(size_is(backward(kRooms, {{"load/btree/page.cpp", "load/nsys/schema.hpp"}}), 1));
  EXPECT_TRUE(is_empty(backward(kRooms, {{"cli/run.cpp", "files/walk.hpp"},
                                         {"load/nsys/schema.cpp", "load/btree/page.hpp"},
                                         {"load/load.cpp", "load/nsys/schema.hpp"},
                                         {"load/load.cpp", "result.hpp"}})));
}

TEST(ArrowsCheck, AFolderThatIsNoRoomIsTold) {
  EXPECT_TRUE(each_contains(backward(kRooms, {{"cli/run.cpp", "attic/box.hpp"}}), {"lies in no room"}));
}

TEST(ArrowsCheck, CirclesAreTold) {
  EXPECT_TRUE(each_contains(circles({{"sheets/a.hpp", "discover/b.hpp"}, {"discover/c.cpp", "sheets/d.hpp"}}),
                            {"discover -> sheets -> discover"}));
  EXPECT_TRUE(size_is(circles({{"a/1.hpp", "b/1.hpp"}, {"b/1.hpp", "c/1.hpp"}, {"c/1.hpp", "a/2.hpp"}}), 1));
  EXPECT_TRUE(size_is(circles({{"load/trace/a.cpp", "load/nsys/b.hpp"}, {"load/nsys/c.cpp", "load/trace/d.hpp"}}), 1));
  EXPECT_TRUE(is_empty(circles({{"load/load.cpp", "load/nsys/b.hpp"}, {"load/nsys/c.cpp", "load/store.hpp"}})));
  EXPECT_TRUE(is_empty(circles({{"a/1.hpp", "b/1.hpp"}, {"a/2.hpp", "c/1.hpp"}, {"b/2.hpp", "c/2.hpp"}})));
}

TEST(ArrowsCheck, AnIncludeOffItsFloorIsTold) {
  const Floors floors = floors_of("foreach(room\n base/files model/load campaign/record tools/check)");
  EXPECT_TRUE(equals(off_floor(floors, {{"model", {"base"}}, {"tools", {"base"}}},
                               {{"load/a.cpp", "files/b.hpp"}, {"check/a.cpp", "record/b.hpp"}}),
                     {"check/a.cpp of floor tools includes record/b.hpp of floor campaign"}));
}

TEST(ArrowsCheck, IncludesAreReadFromFiles) {
  const std::vector<Include> includes = includes_of_the_host(ASSAY_SOURCE_DIR);
  const auto is = [&](const std::string& file, const std::string& header) {
    return std::any_of(includes.begin(), includes.end(),
                       [&](const Include& i) { return i.file == file && i.header == header; });
  };
  EXPECT_TRUE(is("cli/program.cpp", "cli/commands.hpp"));
  EXPECT_TRUE(is("load/load.cpp", "load/load.hpp"));
  EXPECT_FALSE(is("load/load.hpp", "assay/report.hpp"));
}

}  // namespace assay::test::arrows_test
