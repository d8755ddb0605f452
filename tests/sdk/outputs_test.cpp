// Small help of the SDK: columns of a table, options with a range, lists of texts, words.
#include "assay/output.hpp"
#include "assay/testing/options.hpp"
#include "assay/words.hpp"
#include "support/test.hpp"

namespace assay::outputs_test {

struct Row3 {
  std::string name;
  int count;
  std::optional<double> share;
};

TEST(TableColumn, TakesItsTypeFromTheProjection) {
  const std::vector<Row3> rows = {{"a", 1, 0.5}, {"b", 2, std::nullopt}};
  Table table("t", "T");
  table.column("name", "", rows, &Row3::name)
      .column("count", "1", rows, &Row3::count)
      .column("share", "ratio", rows, &Row3::share)
      .column("maybe", "1", rows, [](const Row3& r) { return r.share ? std::optional<int>(r.count) : std::nullopt; })
      .column("view", "", rows, [](const Row3& r) { return std::string_view(r.name).substr(0, 1); })
      .column("literal", "", rows, [](const Row3&) { return "x"; });
  table.with_view([](const TableView& view) {
    ASSERT_EQ(view.columns.size, 6U);
    EXPECT_EQ(view.columns[0].texts[1], "b");
    EXPECT_EQ(view.columns[1].type, CellType::kInteger);
    EXPECT_EQ(view.columns[1].integers[1], 2);
    EXPECT_EQ(view.columns[2].numbers[0], 0.5);
    EXPECT_TRUE(std::isnan(view.columns[2].numbers[1])) << "absent is not 0";
    EXPECT_EQ(view.columns[3].integers[0], 1);
    EXPECT_EQ(view.columns[3].integers[1], kNoInteger);
    EXPECT_EQ(view.columns[4].texts[0], "a");
    EXPECT_EQ(view.columns[5].texts[0], "x");
  });
}

TEST(OptionSpecs, AreBoundedBehindTheirText) {
  constexpr OptionSpec kSpecs[] = {option::number("share", "0.5", "A share.").within(0, 1),
                                   option::integer("count", "3", "A count.").within(1, 10),
                                   {"names", OptionType::kTextList, "a, b", "Names."}};
  const testing::OptionMap options(kSpecs);
  EXPECT_EQ(options.number("share"), 0.5);
  EXPECT_THROW(testing::OptionMap(kSpecs, {{"share", 1.5}}), std::invalid_argument);
  EXPECT_THROW(testing::OptionMap(kSpecs, {{"count", 0}}), std::invalid_argument);
  EXPECT_TRUE(equals(options.strings("names"), {"a", "b"}));
  EXPECT_THROW((void)options.strings("share"), std::logic_error);
  EXPECT_THROW((void)options.strings("unknown"), std::logic_error);
}

TEST(Words, PercentAndLabels) {
  EXPECT_EQ(percent(0.1234), "12.3 %");
  EXPECT_EQ(percent(0.5, 0), "50 %");
  EXPECT_EQ(labels_text({{"patch", "8"}, {"dim", "384"}}), "patch=8 dim=384");
  EXPECT_EQ(labels_text({}), "");
}

}  // namespace assay::outputs_test
