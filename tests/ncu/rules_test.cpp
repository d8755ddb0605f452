// What Nsight Compute's rules say of launches, and the NVTX ranges around them: made reports, and a real one against
// the details page that ncu printed of it.
#include <cmath>
#include <cstdlib>
#include <map>

#include "formats/ncu/rep_rules.hpp"
#include "formats/ncu/text_rows.hpp"
#include "load/format.hpp"
#include "made_rep.hpp"
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/kinds.hpp"
#include "support/real_data.hpp"
#include "support/temp_folder.hpp"

namespace assay::rules_test {

using load::RuledLaunch;
using load::RuleSaying;
using ncu::without_markup;

Result<std::vector<RuledLaunch>> read_rules(const std::filesystem::path& file) {
  return load::format_of(kind::kNcu)->rules(file);
}

TEST(NcuRules, MarkupOfLinksIsTakenOut) {
  EXPECT_EQ(without_markup("Check the @section:SourceCounters:Source Counters@ section."),
            "Check the Source Counters section.");
  EXPECT_EQ(without_markup("See the @url:Guide:https://a.b/c#d@ for more."),
            "See the Guide (https://a.b/c#d) for more.");
  for (const char* text :
       {"", "@", "@@", "a@b", "@section:", "@section:X", "@section:@", "@url:no end", "mail a@b.c, @x"})
    EXPECT_EQ(without_markup(text), text);
}

TEST(NcuRules, OfADetailsPageAreThoseOfItsLaunches) {
  const TempFolder folder;
  folder.write(
      "k.csv",
      "==PROF== Connected\n"
      "\"ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\","
      "\"Rule Type\",\"Rule Description\",\"Estimated Speedup Type\",\"Estimated Speedup\"\n"
      "\"0\",\"gemv\",\"Occupancy\",\"Achieved Occupancy\",\"%\",\"11\",\n"
      "\"0\",\"gemv\",\"SpeedOfLight\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\",\"The grid is too small.\",\"\",\"\"\n"
      "\"0\",\"gemv\",\"SchedulerStats\",\"\",\"\",\"\",\"IssueSlot\",\"OPT\",\"Slow.\",\"local\",\"80.34\"\n"
      "\"1\",\"gemv\",\"Occupancy\",\"\",\"\",\"\",\"Theoretical\",\"INF\",\"Low.\",\"global\",\"12\"\n");
  const auto launches = read_rules(folder / "k.csv");
  ASSERT_TRUE(launches.ok());
  ASSERT_EQ(launches->size(), 2U) << "two launches of one kernel";
  ASSERT_EQ(launches->at(0).sayings.size(), 2U);
  EXPECT_EQ(launches->at(0).kernel, "gemv");
  EXPECT_EQ(launches->at(0).sayings[0].speedup, std::nullopt);
  EXPECT_EQ(launches->at(0).sayings[1].speedup, 80.34);
  EXPECT_TRUE(launches->at(0).sayings[1].local);
  EXPECT_EQ(launches->at(1).sayings[0].kind, "INF");
  EXPECT_FALSE(launches->at(1).sayings[0].local);
  EXPECT_FALSE(read_rules(folder / "none.csv").ok());
}

MadeMessage made_rule() {
  const auto item = MadeMessage()
                        .message(1, MadeMessage().bytes(1, "A @section:S:Label@.").number(2, 4))
                        .message(10, MadeMessage().number(1, 1).fixed(2, 12.5));
  const auto empty = MadeMessage().message(9, MadeMessage().number(1, 1));
  return MadeMessage()
      .bytes(1, "MyRule")
      .bytes(4, "MySection")
      .message(3, MadeMessage().message(1, item).message(1, empty));
}

class NcuRuleFiles : public ::testing::Test {
 protected:
  Result<std::vector<RuledLaunch>> rules(const MadeMessage& result) {
    folder_.write("k.ncu-rep", made_rep(made_block({"a"}, {}, {result})));
    return read_rules(folder_ / "k.ncu-rep");
  }
  TempFolder folder_;
};

TEST_F(NcuRuleFiles, TextKindAndEstimate) {
  const auto range = MadeMessage().message(2, MadeMessage().message(3, MadeMessage().bytes(1, "step_1")));
  const auto got = rules(made_result("k", {}).message(19, made_rule()).message(21, MadeMessage().message(2, range)));
  ASSERT_TRUE(got.ok());
  ASSERT_EQ(got->size(), 1U);
  EXPECT_EQ(got->at(0).ranges, std::vector<std::string>{"step_1"});
  ASSERT_EQ(got->at(0).sayings.size(), 1U) << "an item without a text says nothing";
  const RuleSaying& saying = got->at(0).sayings[0];
  EXPECT_EQ(saying.section + "/" + saying.rule + "/" + saying.kind, "MySection/MyRule/OPT");
  EXPECT_EQ(saying.text, "A Label.");
  EXPECT_EQ(saying.speedup, 12.5);
  EXPECT_TRUE(saying.local);
}

TEST_F(NcuRuleFiles, DamagedRulesCostTheirLaunchAlone) {
  const std::string whole = made_rule().text();
  std::size_t kept = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x81);
    const auto got = rules(made_result("k", {}).bytes(19, bytes));
    ASSERT_TRUE(got.ok());
    kept += got->size();
  }
  EXPECT_LT(kept, whole.size()) << "some bytes are sizes";
  EXPECT_GT(kept, 10U) << "some are text";
  folder_.write("cut.ncu-rep", "NVR");
  EXPECT_FALSE(read_rules(folder_ / "cut.ncu-rep").ok());
}

struct PrintedRule {
  std::string section, rule, kind, text, speedup_kind, speedup;
};

TEST(NcuRealRules, EqualTheDetailsPage) {
  ASSAY_REAL_FOLDER(data, "ops");
  const std::filesystem::path folder(data);
  const auto launches = read_rules(folder / "ops_full.ncu-rep");
  ASSERT_TRUE(launches.ok());
  ASSERT_EQ(launches->size(), 8U);
  std::vector<std::string> names;
  std::map<std::size_t, std::vector<PrintedRule>> printed;
  ncu::read_text_rows(folder / "ops_full.details.csv", [&](std::span<const std::string> row, auto) {
    if (names.empty()) return names.assign(row.begin(), row.end());
    const auto cell = [&](const char* name) {
      const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      return at < row.size() ? row[at] : std::string();
    };
    const std::size_t id = std::stoul(cell("ID"));
    EXPECT_TRUE(contains(cell("thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"),
                         ":" + launches->at(id).ranges.at(0) + ":"));
    EXPECT_EQ(cell("Kernel Name"), launches->at(id).ranges.at(0) + "/" + launches->at(id).kernel)
        << "the kernels were renamed by their range";
    if (cell("Rule Name").empty()) return;
    printed[id].push_back({cell("Section Name"), cell("Rule Name"), cell("Rule Type"), cell("Rule Description"),
                           cell("Estimated Speedup Type"), cell("Estimated Speedup")});
  });
  std::size_t compared = 0, estimates = 0;
  for (std::size_t id = 0; id < launches->size(); ++id) {
    const auto& said = launches->at(id).sayings;
    ASSERT_EQ(said.size(), printed[id].size()) << id;
    for (const RuleSaying& saying : said) {
      const auto at = std::find_if(printed[id].begin(), printed[id].end(), [&](const PrintedRule& p) {
        return p.section == saying.section && p.rule == saying.rule && p.text == saying.text;
      });
      ASSERT_NE(at, printed[id].end()) << id << " " << saying.rule << ": " << saying.text;
      EXPECT_EQ(saying.kind, at->kind);
      EXPECT_EQ(saying.speedup.has_value(), !at->speedup.empty()) << saying.rule;
      if (saying.speedup) {
        EXPECT_NEAR(*saying.speedup, std::stod(at->speedup), 0.0005 * *saying.speedup + 1e-9) << "four digits";
        EXPECT_EQ(saying.local ? "local" : "global", at->speedup_kind);
        ++estimates;
      }
      printed[id].erase(at);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 79U);
  EXPECT_GT(estimates, 20U);
}

}  // namespace assay::rules_test
