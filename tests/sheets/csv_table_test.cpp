#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tables/table.hpp"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  const auto table = csv_table("\xEF\xBB\xBF name ,\"tp, img/s\"\r\n\"a \"\"b\"\"\",1.5\r\n\r\n,,\r\nc, -2e3 \r\n");
  ASSERT_TRUE(table) << table.error().sentence;
  ASSERT_EQ(table->columns.size(), 2U);
  EXPECT_EQ(table->columns[0].name, "name");
  EXPECT_EQ(table->columns[1].name, "tp, img/s");
  EXPECT_EQ(table->rows, 2U);
  EXPECT_THAT(texts(*table, 0), ElementsAre("a \"b\"", "c"));
  EXPECT_THAT(table->columns[1].cells[0].numbers, ElementsAre(1.5));
  EXPECT_THAT(table->columns[1].cells[1].numbers, ElementsAre(-2000.0));
}

TEST(CsvTable, ALineBreakInsideQuotesIsPartOfTheCell) {
  const auto table = csv_table("a,b\n\"x\ny\",2\n");
  ASSERT_TRUE(table);
  EXPECT_THAT(texts(*table, 0), ElementsAre("x\ny"));
}

TEST(CsvTable, ShortRowsAreFilledAndLongOnesLeftOut) {
  const auto table = csv_table("a,b\n1\n1,2,3\n4,5");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows, 2U);
  EXPECT_THAT(texts(*table, 1), ElementsAre("", "5"));
  EXPECT_THAT(table->problems, ElementsAre(HasSubstr("row 2 has 3 cells for 2 columns")));
}

TEST(CsvTable, OnlyWholeFiniteNumbersAreNumbers) {
  for (const char* text : {"", "n/a", "1.5x", "nan", "inf", "1,000", "--1", "0x10"}) {
    EXPECT_THAT(sheet_cell(text).numbers, IsEmpty()) << text;
  }
  EXPECT_THAT(sheet_cell(" +3.25 ").numbers, ElementsAre(3.25));
}

TEST(CsvTable, RefusesWhatHasNoColumns) {
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("\n\n"), HasSubstr("is empty"));
  EXPECT_THAT(refusal("a,a\n1,2\n"), HasSubstr("'a' twice"));
  EXPECT_THAT(refusal("a,\n1,2\n"), HasSubstr("with nothing"));
  EXPECT_THAT(refusal("a,b\n\"x,2\n"), HasSubstr("quotes in row 2"));
}

}  // namespace
}  // namespace assay
