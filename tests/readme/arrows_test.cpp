#include "arrows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace assay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR "/") + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Arrows, EachRoomOfTheHostIncludesOnlyEarlierOnes) {
  const std::vector<std::string> rooms = rooms_of(text_of("core/CMakeLists.txt"));
  const std::vector<Include> includes = includes_below(ASSAY_SOURCE_DIR "/core");
  ASSERT_GT(rooms.size(), 15U);
  ASSERT_GT(includes.size(), 500U);
  EXPECT_THAT(backward(rooms, includes), IsEmpty());
}

TEST(Arrows, NoFoldersOfTheHostIncludeEachOther) {
  EXPECT_THAT(circles(includes_below(ASSAY_SOURCE_DIR "/core")), IsEmpty());
}

TEST(Arrows, TheDocumentsNameEachRoomInOrder) {
  const std::string code = text_of("docs/code.md");
  std::size_t at = code.find("# The code");
  ASSERT_NE(at, std::string::npos);
  for (const std::string& room : rooms_of(text_of("core/CMakeLists.txt"))) {
    const std::size_t found = code.find("`" + room + "`", at);
    ASSERT_NE(found, std::string::npos) << room << " is not named, or not in the order of core/CMakeLists.txt";
    at = found;
  }
}

// What the checks above are worth: made-up includes that break each rule.

const std::vector<std::string> kRooms = {"files", "load/btree", "load", "discover", "app"};

TEST(ArrowsCheck, AnIncludeOfALaterRoomIsTold) {
  EXPECT_THAT(backward(kRooms, {{"load/load.cpp", "discover/walk.hpp"}}),
              ElementsAre(HasSubstr("load/load.cpp includes discover/walk.hpp of a room that comes later")));
  EXPECT_THAT(backward(kRooms, {{"load/btree/page.cpp", "load/nsys/schema.hpp"}}), ::testing::SizeIs(1));
  EXPECT_THAT(backward(kRooms, {{"app/run.cpp", "files/walk.hpp"},
                                {"load/nsys/schema.cpp", "load/btree/page.hpp"},
                                {"load/load.cpp", "load/nsys/schema.hpp"},
                                {"load/load.cpp", "result.hpp"}}),
              IsEmpty());
}

TEST(ArrowsCheck, AFolderThatIsNoRoomIsTold) {
  EXPECT_THAT(backward(kRooms, {{"app/run.cpp", "attic/box.hpp"}}), ElementsAre(HasSubstr("lies in no room")));
}

TEST(ArrowsCheck, CirclesAreTold) {
  EXPECT_THAT(circles({{"sheets/a.hpp", "discover/b.hpp"}, {"discover/c.cpp", "sheets/d.hpp"}}),
              ElementsAre(HasSubstr("discover -> sheets -> discover")));
  EXPECT_THAT(circles({{"a/1.hpp", "b/1.hpp"}, {"b/1.hpp", "c/1.hpp"}, {"c/1.hpp", "a/2.hpp"}}), ::testing::SizeIs(1));
  EXPECT_THAT(circles({{"load/trace/a.cpp", "load/nsys/b.hpp"}, {"load/nsys/c.cpp", "load/trace/d.hpp"}}),
              ::testing::SizeIs(1));
  EXPECT_THAT(circles({{"load/load.cpp", "load/nsys/b.hpp"}, {"load/nsys/c.cpp", "load/store.hpp"}}), IsEmpty());
  EXPECT_THAT(circles({{"a/1.hpp", "b/1.hpp"}, {"a/2.hpp", "c/1.hpp"}, {"b/2.hpp", "c/2.hpp"}}), IsEmpty());
}

TEST(ArrowsCheck, IncludesAreReadFromFiles) {
  const std::vector<Include> includes = includes_below(ASSAY_SOURCE_DIR "/core");
  const auto is = [&](const std::string& file, const std::string& header) {
    return std::any_of(includes.begin(), includes.end(),
                       [&](const Include& i) { return i.file == file && i.header == header; });
  };
  EXPECT_TRUE(is("app/main.cpp", "app/commands.hpp"));
  EXPECT_TRUE(is("load/load.cpp", "load/load.hpp"));
  EXPECT_FALSE(is("load/load.hpp", "assay/report.hpp"));
}

}  // namespace
}  // namespace assay::test
