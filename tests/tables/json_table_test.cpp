#include "support/test.hpp"
#include "tables/table.hpp"

namespace assay::json_table_test {

std::vector<std::string> column_names(const SheetTexts& table) {
  std::vector<std::string> out;
  for (const auto& column : table.columns) out.push_back(column.name);
  return out;
}

TEST(JsonTable, KeysBecomeColumnsAndNestedOnesAreDotted) {
  const auto table = require(json_table(R"([{"name": "a", "config": {"dim": 384, "keep": null}, "ms": [1.5, 2]},
                                    {"name": "b", "extra": true}])"));
  EXPECT_TRUE(equals(column_names(*table), {"name", "config.dim", "config.keep", "ms", "extra"}));
  EXPECT_EQ(table->rows, 2U);
  EXPECT_TRUE(equals(table->columns[1].cells[0].numbers, {384.0}));
  EXPECT_EQ(table->columns[1].cells[1].text, "");
  EXPECT_EQ(table->columns[2].cells[0].text, "");
  EXPECT_TRUE(equals(table->columns[3].cells[0].numbers, {1.5, 2.0}));
  EXPECT_EQ(table->columns[4].cells[0].text, "");
  EXPECT_EQ(table->columns[4].cells[1].text, "true");
}

TEST(JsonTable, AListWithinAnObjectAndOneObjectAreTablesToo) {
  const auto inside = json_table(R"({"version": 2, "runs": [{"a": 1}, {"a": 2}]})");
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->rows, 2U);
  const auto one = json_table(R"({"a": 1, "b": "x"})");
  ASSERT_TRUE(one);
  EXPECT_TRUE(equals(column_names(*one), {"a", "b"}));
  EXPECT_EQ(one->rows, 1U);
}

TEST(JsonTable, NumbersOfObjectsInAListInARowAreColumns) {
  const auto table =
      json_table(R"({"eager": {"runs": [{"ms": 1, "all": [2, 3], "x": "y"}, {"ms": 4, "all": [5]}], "s": 6}})");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows, 1U);
  EXPECT_TRUE(equals(column_names(*table), {"eager.runs", "eager.runs.all", "eager.runs.ms", "eager.s"}));
  EXPECT_TRUE(equals(table->columns[1].cells[0].numbers, {2.0, 3.0, 5.0}));
  EXPECT_TRUE(equals(table->columns[2].cells[0].numbers, {1.0, 4.0}));
}

TEST(JsonTable, AMixedListKeepsItsTextAndHasNoNumbers) {
  const auto table = json_table(R"([{"a": [1, "x"]}])");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->columns[0].cells[0].text, R"([1,"x"])");
  EXPECT_TRUE(is_empty(table->columns[0].cells[0].numbers));
}

TEST(JsonTable, RejectsNonTables) {
  for (const char* text : {"", "[{\"a\": 1}", "not json", "3", "[]", "[1, 2]", "{}"}) {
    const auto table = json_table(text);
    ASSERT_FALSE(table) << text;
    EXPECT_TRUE(contains(table.error().sentence, "is not JSON") || contains(table.error().sentence, "holds no table"))
        << table.error().sentence << text;
  }
}

TEST(JsonTable, ReadsPythonsNanAsAnEmptyCell) {
  const auto table = require(json_table(R"([{"a": NaN, "b": [1, Infinity], "c": -Infinity, "d": "NaN \" Infinity"}])"));
  EXPECT_EQ(table->columns[0].cells[0].text, "");
  EXPECT_TRUE(is_empty(table->columns[1].cells[0].numbers));
  EXPECT_EQ(table->columns[2].cells[0].text, "");
  EXPECT_EQ(table->columns[3].cells[0].text, "NaN \" Infinity");
}

TEST(JsonTable, RefusesWhatWouldCostTheStackOrTheMemory) {
  const auto deep = json_table("[{\"a\": " + std::string(1000000, '[') + std::string(1000000, ']') + "}]");
  ASSERT_FALSE(deep);
  EXPECT_TRUE(contains(deep.error().sentence, "nested more than 64 deep"));
  std::string wide;
  for (int i = 0; i < 5000; ++i) wide += (i == 0 ? "{\"" : ",{\"") + std::to_string(i) + "\": 1}";
  const auto sparse = json_table("[" + wide + "]");
  ASSERT_FALSE(sparse);
  EXPECT_TRUE(contains(sparse.error().sentence, "too many keys and rows"));
}

TEST(JsonTable, SeveralListsOfAnObjectAreOneTableWhereAskedFor) {
  const char* text = R"({"ok": [{"a": 1}, {"a": 2}], "n": 3, "bad": [{"a": 3, "why": "x"}]})";
  const auto all = json_tables(text);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->rows, 3U);
  const auto one = json_table(text);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->rows, 1U);
}

}  // namespace assay::json_table_test
