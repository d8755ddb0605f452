// Sentences of errors as programs read them: code, place, remedy.
#include <gtest/gtest.h>

#include "cli/json_document.hpp"

namespace assay {
namespace {

document::Problem only(const std::string& sentence, Exit exit = Exit::kUsage) {
  const std::vector<document::Problem> all = document::problems_of({sentence, exit});
  EXPECT_EQ(all.size(), 1U) << sentence;
  return all.empty() ? document::Problem{} : all.front();
}

TEST(Problems, HavePlaceAndRemedyWhereTheSentenceNamesThem) {
  struct Case {
    const char *sentence, *place, *remedy;
  };
  const Case cases[] = {
      {"a b/q.toml:12:3: [window] nvtx is 3; expected a text", "a b/q.toml:12:3", "expected a text"},
      {"not_there.toml: no such file; check the path.", "not_there.toml", "check the path."},
      {"there is no 'x y'; name reports, or a folder that holds some", "x y",
       "name reports, or a folder that holds some"},
      {"there is no analyzer 'run_sumary'. Did you mean 'run_summary'? 'assay describe' lists them all", "run_sumary",
       "Did you mean 'run_summary'? 'assay describe' lists them all"},
      {"the run ended early: bad: luck", "", ""},
      {"none of the profiles can be replayed", "", ""},
      {"'open", "", ""},
      {"12:3: x", "", ""},
      {"q.toml:1: x", "q.toml:1", ""},
  };
  for (const Case& c : cases) {
    const document::Problem problem = only(c.sentence);
    EXPECT_EQ(problem.message, c.sentence);
    EXPECT_EQ(problem.place, c.place) << c.sentence;
    EXPECT_EQ(problem.remedy, c.remedy) << c.sentence;
  }
}

TEST(Problems, HaveACodeForEachExitCode) {
  EXPECT_EQ(only("x", Exit::kRefuted).code, "refuted");
  EXPECT_EQ(only("x", Exit::kUsage).code, "usage");
  EXPECT_EQ(only("x", Exit::kFailed).code, "failed");
  EXPECT_EQ(only("x", Exit{4}).code, "undecided");
  EXPECT_EQ(only("x", Exit::kInterrupted).code, "interrupted");
}

TEST(Problems, AreOneForEachLine) {
  const auto all = document::problems_of({"q.toml:1:1: a; b\nq.toml:2:1: c; d\n", Exit::kUsage});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].place, "q.toml:2:1");
  EXPECT_EQ(all[1].remedy, "d");
}

}  // namespace
}  // namespace assay
