// The host draws sections of an analyzer that it has never heard of.
#include "look/sections.hpp"
#include "support/test.hpp"

namespace assay::look::look_sections_test {

using Column = OwnedTable::Column;
using Texts = std::vector<std::string>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Column texts(std::string name, Texts cells) { return {std::move(name), "", CellType::kText, std::move(cells), {}, {}}; }
Column numbers(std::string name, std::string unit, std::vector<double> cells) {
  return {std::move(name), std::move(unit), CellType::kNumber, {}, {}, std::move(cells)};
}
Column counts(std::string name, std::vector<std::int64_t> cells) {
  return {std::move(name), "1", CellType::kInteger, {}, std::move(cells), {}};
}

OwnedTable tides() {
  return {"tides",
          "heights",
          "",
          {texts("report", {"north", "south", "north"}), texts("harbour", {"a", "b", "c"}),
           numbers("late", "ns", {3e6, 9e9, 12e6}), numbers("share", "ratio", {0.25, 0.5, kNan}),
           counts("boats", {7, 8, kNoInteger}), numbers("salt", "g/l", {3.25, 4, 36})}};
}

/// "report, title, analyzer, table, columns, by, sentence" of each row.
OwnedTable index_of(const std::vector<Texts>& rows, std::vector<std::int64_t> most = {}) {
  OwnedTable index{"tides", "sections", "", {}};
  std::size_t at = 0;
  for (const char* name : {"report", "title", "analyzer", "table", "columns", "by", "sentence"}) {
    Texts cells;
    for (const Texts& row : rows) cells.push_back(row[at]);
    index.columns.push_back(texts(name, cells));
    ++at;
  }
  if (!most.empty()) index.columns.push_back(counts("rows", std::move(most)));
  return index;
}

Page page_of(std::vector<OwnedTable> tables, const std::string& report, std::vector<OwnedTable> own = {}) {
  QuestionResult question;
  question.tables = std::move(tables);
  ReportResult one;
  one.tables = std::move(own);
  Page page{"title", "nothing is known", {}};
  ReportRows rows;
  add_sections(question, report.empty() ? nullptr : &one, report, page, rows);
  return page;
}

TEST(ReportRows, AreLookedUpOnceForAllPages) {
  OwnedTable table{"tides", "heights", "", {texts("report", {"a", "b", "a"})}};
  ReportRows rows;
  const std::vector<std::size_t>& first = rows.of(table, "a");
  EXPECT_EQ(first, (std::vector<std::size_t>{0, 2}));
  EXPECT_TRUE(rows.of(table, "c").empty());
  table.columns[0].texts.push_back("a");
  EXPECT_EQ(&rows.of(table, "a"), &first);
  EXPECT_EQ(first.size(), 2U) << "the table is not walked again";
}

TEST(LookSections, AnUnknownAnalyzerFillsThePageOfAReport) {
  const Page page = page_of({index_of({{"north", "", "", "", "", "", "High water"},
                                       {"north", "Harbours", "", "heights",
                                        "harbour=|late=delay|share|boats=ships|salt=g/l|salt=content", "", ""},
                                       {"north", "Harbours", "", "", "", "", "by the moon"},
                                       {"south", "Harbours", "", "heights", "harbour", "", ""}}),
                             tides()},
                            "north");
  EXPECT_EQ(page.headline, "High water");
  ASSERT_TRUE(size_is(page.parts, 1));
  const PageSection& part = page.parts.front();
  EXPECT_EQ(part.title, "Harbours");
  EXPECT_TRUE(equals(part.rows, {{"a", "3.00", "25 %", "7", "3.25", "3.25"},
                                 {"c", "12.0 ", "not known", "not known", "36.0 ", "36.0 "}}));
  Texts headings;
  for (const auto& column : with_units(part).columns) headings.push_back(column.title);
  EXPECT_TRUE(equals(headings, {"", "delay, ms", "share", "ships", "g/l", "content, g/l"}));
  EXPECT_FALSE(part.columns[0].right);
  EXPECT_TRUE(part.columns[1].right);
  EXPECT_TRUE(equals(part.sentences, {"by the moon"}));
}

TEST(LookSections, AColumnOfThePageOfAllHasOneUnit) {
  const Page page = page_of({tides(), index_of({{"", "All", "", "heights", "report|late", "", ""}})}, "");
  ASSERT_TRUE(size_is(page.parts, 1));
  EXPECT_TRUE(equals(page.parts[0].rows, {{"north", "0.003"}, {"south", "9.00 "}, {"north", "0.012"}}));
}

TEST(LookSections, RowsOfAllAreOrderedByAColumnThatAUserNames) {
  QuestionResult question;
  question.tables = {tides(), index_of({{"", "All", "", "heights", "report|harbour|late=delay|boats", "", ""}})};
  const auto harbours = [&](const std::string& column, bool found) {
    Page page{"title", "", {}};
    RowOrder order{column, false, {}};
    ReportRows rows;
    add_sections(question, nullptr, "", page, rows, &order);
    EXPECT_EQ(order.found, found);
    EXPECT_TRUE(equals(order.headings, {"delay", "boats"})) << "numbers";
    std::string out;
    for (const Texts& row : page.parts.at(0).rows) out += row.at(1);
    return page.parts[0].title + " " + out;
  };
  EXPECT_EQ(harbours("DELAY", true), "By delay acb") << "times shortest first";
  EXPECT_EQ(harbours("boat", true), "By boats bac") << "what has no value is last";
  EXPECT_EQ(harbours("harb", true), "By harbour abc");
  EXPECT_EQ(harbours("moon", false), "All abc");
}

TEST(LookSections, ARowOfItsOwnUnitLeavesEmptyWhatHasNone) {
  OwnedTable index = index_of({{"r", "Sea", "", "heights", "late|share", "", ""}});
  index.columns.push_back(counts("unknown empty", {1}));
  const Page page = page_of(
      {index}, "r",
      {{"tides", "heights", "", {numbers("late", "ns", {3, 9e9, 0}), numbers("share", "ratio", {kNan, 0.5, 1})}}});
  ASSERT_TRUE(size_is(page.parts, 1));
  EXPECT_TRUE(equals(page.parts[0].rows, {{"< 0.001", ""}, {"9.00 ", "50 %"}, {"0    ", "100 %"}}));
}

TEST(LookSections, ATableOfAnotherIsCutToItsLargest) {
  const OwnedTable waves{"waves",
                         "crests",
                         "",
                         {texts("where", {"low", "high", "unknown", "middle", std::string(80, 'x')}),
                          numbers("height", "%", {1, 90, kNan, 50, 70})}};
  const Page page =
      page_of({index_of({{"r", "Crests", "waves", "crests", "where|height", "height", ""}}, {2})}, "r", {waves});
  ASSERT_TRUE(size_is(page.parts, 1));
  ASSERT_TRUE(size_is(page.parts[0].rows, 2));
  EXPECT_TRUE(equals(page.parts[0].rows[0], {"high", "90 %"}));
  EXPECT_TRUE(size_is(page.parts[0].rows[1][0], 46)) << "names of a report are of any length";
}

TEST(LookSections, DrawNothingWithoutData) {
  const std::vector<Texts> rows = {{"", "No table", "", "nowhere", "a|b", "", ""},
                                   {"", "No analyzer", "nobody", "heights", "harbour", "", ""},
                                   {"", "No column", "", "heights", "depth=|moon", "", ""},
                                   {"", "No order", "", "heights", "harbour", "depth", ""},
                                   {"", "No columns", "", "heights", "", "", ""},
                                   {"", "Nothing", "", "", "", "", ""},
                                   {"", "None of them", "", "heights", "harbour", "", ""}};
  EXPECT_TRUE(is_empty(page_of({tides(), index_of(rows, {1, 2, 3, 4, 5, 6, 0})}, "").parts));
  EXPECT_EQ(page_of({tides(), index_of(rows)}, "").headline, "nothing is known");
  const Page some =
      page_of({tides(), index_of({{"", "Half", "", "heights", "moon|harbour||=", "", "half a tide"}}, {-5})}, "");
  ASSERT_TRUE(size_is(some.parts, 1));
  EXPECT_TRUE(equals(some.parts[0].rows, {{"a"}, {"b"}, {"c"}}));
}

TEST(LookSections, IgnoreAnInvalidIndex) {
  const OwnedTable empty{"a", "sections", "", {}};
  const OwnedTable other{"b", "sections", "", {texts("moon", {"x"}), counts("title", {1})}};
  const OwnedTable typed{
      "c", "sections", "", {texts("title", {"T"}), counts("table", {3}), numbers("columns", "", {kNan})}};
  EXPECT_TRUE(is_empty(page_of({empty, other, typed}, "").parts));
  EXPECT_TRUE(is_empty(page_of({empty, other, typed}, "r").parts));
}

}  // namespace assay::look::look_sections_test
