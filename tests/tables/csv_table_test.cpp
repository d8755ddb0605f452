#include "support/test.hpp"
#include "tables/table.hpp"

namespace assay::csv_table_test {

std::vector<std::string> texts(const SheetTexts& table, std::size_t column) {
  std::vector<std::string> out;
  for (const SheetCell& cell : table.columns.at(column).cells) out.push_back(cell.text);
  return out;
}

std::string refusal(std::string_view bytes) {
  const auto table = csv_table(bytes);
  return table ? "accepted" : table.error().sentence;
}

TEST(CsvTable, ReadsQuotesBomAndWindowsLineEnds) {
  const auto table =
      require(csv_table("\xEF\xBB\xBF name ,\"tp, img/s\"\r\n\"a \"\"b\"\"\",1.5\r\n\r\n,,\r\nc, -2e3 \r\n"));
  ASSERT_EQ(table->columns.size(), 2U);
  EXPECT_EQ(table->columns[0].name, "name");
  EXPECT_EQ(table->columns[1].name, "tp, img/s");
  EXPECT_EQ(table->rows, 2U);
  EXPECT_TRUE(equals(texts(*table, 0), {"a \"b\"", "c"}));
  EXPECT_TRUE(equals(table->columns[1].cells[0].numbers, {1.5}));
  EXPECT_TRUE(equals(table->columns[1].cells[1].numbers, {-2000.0}));
}

TEST(CsvTable, ALineBreakInsideQuotesIsPartOfTheCell) {
  const auto table = csv_table("a,b\n\"x\ny\",2\n");
  ASSERT_TRUE(table);
  EXPECT_TRUE(equals(texts(*table, 0), {"x\ny"}));
}

TEST(CsvTable, ShortRowsAreFilledAndLongOnesLeftOut) {
  const auto table = csv_table("a,b\n1\n1,2,3\n4,5");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows, 2U);
  EXPECT_TRUE(equals(texts(*table, 1), {"", "5"}));
  EXPECT_TRUE(each_contains(table->problems, {"row 2 has 3 cells for 2 columns"}));
}

TEST(CsvTable, OnlyWholeFiniteNumbersAreNumbers) {
  for (const char* text : {"", "n/a", "1.5x", "nan", "inf", "1,000", "--1", "0x10"}) {
    EXPECT_TRUE(is_empty(sheet_cell(text).numbers)) << text;
  }
  EXPECT_TRUE(equals(sheet_cell(" +3.25 ").numbers, {3.25}));
}

TEST(CsvTable, RefusesWhatHasNoColumns) {
  EXPECT_TRUE(contains(refusal(""), "is empty"));
  EXPECT_TRUE(contains(refusal("\n\n"), "is empty"));
  EXPECT_TRUE(contains(refusal("a,a\n1,2\n"), "'a' twice"));
  EXPECT_TRUE(contains(refusal("a,\n1,2\n"), "with nothing"));
  EXPECT_TRUE(contains(refusal("a,b\n\"x,2\n"), "quotes in row 2"));
}

}  // namespace assay::csv_table_test
