#include "look/page.hpp"
#include "look/print.hpp"
#include "render/text.hpp"
#include "support/test.hpp"

namespace assay::look::look_print_test {

std::string printed(const Page& page, std::size_t width = 100, std::size_t rows = kPrintedRows) {
  std::ostringstream out;
  TerminalStyle style;
  style.width = width;
  print_page(page, out, style, rows);
  return out.str();
}

Page two_parts() {
  PageSection left{"Left", {{""}, {"time", true}}, {{"a", "1 ms"}, {"b", "20 ms"}}};
  PageSection right{"Right", {{""}, {"share", true}}, {{"c", "3 %"}}};
  left.narrow = right.narrow = true;
  return {"report", "headline", {left, right}};
}

TEST(Look, NumbersOfAColumnHaveOneUnitThreeDigitsAndTheirPointsBelowEachOther) {
  const ColumnTexts times = column_texts({621e6, 51.9e6, 3.344e6, 86.7e3, 12, 0, -12}, "ns");
  EXPECT_EQ(times.unit, "ms");
  EXPECT_TRUE(equals(times.cells, {"621    ", "51.9  ", "3.34 ", "0.087", "< 0.001", "0    ", "> -0.001"}))
      << ::testing::PrintToString(times.cells);
  EXPECT_TRUE(
      equals(column_texts({std::numeric_limits<double>::quiet_NaN(), 7380}, "1").cells, {"not known", "7,380"}));
  EXPECT_TRUE(equals(column_texts({-1234567}, "1").cells, {"-1,234,567"}));
  EXPECT_TRUE(equals(column_texts({0.001, 0, 0.35}, "ratio").cells, {"< 1 %", "0 %", "35 %"}));
  EXPECT_EQ(column_texts({0.35}, "ratio").unit, "");
}

TEST(Look, NarrowPartsStandSideBySideWhereTheyFit) {
  EXPECT_TRUE(contains(printed(two_parts()), "\nLeft                                              Right\n"));
  EXPECT_TRUE(contains(printed(two_parts()), "\n  a   1 ms                                          c    3 %\n"));
  Page wide = two_parts();
  wide.parts[1].rows.front().front() = std::string(60, 'c');
  EXPECT_TRUE(contains(printed(wide), "\n\nRight\n")) << "one below the other";
}

TEST(Look, PrintsTheRowsThatTheCommandAllows) {
  Page page{"budget", "h", {{"A step", {{""}, {"time", true}}, {}}}};
  for (int row = 0; row < 19; ++row) page.parts[0].rows.push_back({"row" + std::to_string(row), "1 ms"});
  EXPECT_TRUE(contains(printed(page), "and 7 more: -o\n"));
  const std::string all = printed(page, 100, kEveryRow);
  EXPECT_TRUE(contains(all, "row18")) << "rows sum to the step only together";
  EXPECT_FALSE(contains(all, "-o"));
}

TEST(Look, LongWordsOfTheLastColumnAreBrokenWithinTheWidth) {
  Page page{
      "folder", "h", {{"Unlike", {{"report"}, {"why"}}, {{"few.sqlite", "only 3 kernels; takes 22 us and more"}}}}};
  EXPECT_TRUE(contains(printed(page, 40), "  few.sqlite  only 3 kernels; takes 22\n              us and more\n"));
}

Page wide_page() {
  Page page{"r", "h", {{"Ranges", {{"range"}}, {{std::string(50, 'r')}}}}};
  for (const char* column : {"count", "median", "p95", "share", "kernels"}) {
    page.parts[0].columns.push_back({column, true, column[0] == 'c'});
    page.parts[0].rows[0].push_back(std::string(column) == "kernels" ? "5552" : "12.5");
  }
  return page;
}

TEST(Look, ATableIsNeverCutIntoPieces) {
  for (const std::size_t width : {30U, 40U, 60U, 80U, 100U, 160U}) {
    const std::string text = printed(wide_page(), width);
    std::istringstream lines(text);
    std::size_t named = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(display_width(line), width) << line;
      named += line.starts_with("  rrr") ? 1U : 0U;
    }
    EXPECT_EQ(named, 1U) << text;
  }
}

TEST(Look, ColumnsThatDoNotFitGoWholeThoseThatAreSpareFirst) {
  const std::string text = printed(wide_page(), 50);
  EXPECT_TRUE(contains_all(text, {"median", "p95", "\n+2 columns: --wide\n"})) << text;
  EXPECT_FALSE(contains(text, "count")) << text;
  EXPECT_FALSE(contains(text, "kernels")) << text;
  std::ostringstream out;
  TerminalStyle style;
  style.width = 50;
  style.wide = true;
  print_page(wide_page(), out, style);
  EXPECT_TRUE(contains_all(out.str(), {"count", "5552", std::string(50, 'r')})) << out.str();
  EXPECT_FALSE(contains(out.str(), "--wide"));
}

TEST(Look, AColumnThatSaysNothingIsNotDrawn) {
  Page page{"r", "h", {{"Runs", {{"run"}, {"status"}, {"driver"}, {"n", true, true}, {"m", true}, {"why"}}, {}}}};
  for (const char* run : {"a", "b", "c"}) page.parts[0].rows.push_back({run, "single", kNotKnown, "12", "12", ""});
  const std::string text = printed(page);
  EXPECT_TRUE(contains(text, "\n  run   m\n  a    12\n")) << text;
  EXPECT_FALSE(contains(text, "--wide")) << "nothing was left out for its width";
}

TEST(Look, RowsBelowOnePercentAreOne) {
  PageSection part{"A step",
                   {{""}, {"time", true}, {"share", true}},
                   {{"a", "9.80", "98 %"}, {"b", "0.080", "< 1 %"}, {"c", "0.120", "1 %"}}};
  part.rows.push_back({"d", "0.060", "< 1 %"});
  part.shares = {0.98, 0.008, 0.012, 0.006};
  part.values = {{"what", "", false, {"a", "b", "c", "d"}, {}},
                 {"time", "ns", false, {}, {9.8e6, 8e4, 1.2e5, 6e4}},
                 {"share", "ratio", false, {}, part.shares}};
  const PageSection joined = with_small_rows_joined(part);
  ASSERT_EQ(joined.rows.size(), 3U);
  EXPECT_TRUE(equals(joined.rows[2], {"2 under 1 %", "0.140", "1 %"})) << ::testing::PrintToString(joined.rows[2]);
  EXPECT_DOUBLE_EQ(joined.values[1].numbers[2], 1.4e5);
  part.shares[3] = 0.02;
  EXPECT_EQ(with_small_rows_joined(part).rows.size(), 4U) << "a single one stays";
}

TEST(Look, WhatToTryIsNumberedWithItsGainAndTheCommandBelow) {
  Page page{"r", "h", {{"What to try", {}, {}}}};
  page.parts[0].advice = {{"pinned memory", "-16.3 ms (31 %)", "assay whatif a.sqlite --remove copies:h2d"},
                          {"read less", "", ""}};
  const std::string text = printed(page, 60);
  EXPECT_TRUE(contains(text,
                       "  1  pinned memory                           -16.3 ms (31 %)\n     assay whatif a.sqlite "
                       "--remove copies:h2d\n  2  read less\n"))
      << text;
  EXPECT_TRUE(contains(printed(page, 40), "     assay whatif a.sqlite --remove \\\n       copies:h2d\n"))
      << printed(page, 40);
}

TEST(Look, WordsAndValuesWithoutTitlesStayTogetherOnANarrowTerminal) {
  const Page page{
      "r", "h", {{"What ran", {{""}, {""}, {""}, {""}}, {{"device", "NVIDIA H100 80GB", "driver", "550"}}}}};
  EXPECT_TRUE(contains_all(printed(page, 36), {"  device  NVIDIA H100 80GB\n", "  driver  550\n"}))
      << printed(page, 36);
}

TEST(Look, RowsOfAFolderLinkToThePagesOfTheirProfiles) {
  const Page folder{"folder", "h", {{"Profiles", {{"profile"}, {"busy", true}}, {{"a.sqlite", "10 %"}, {"b", "1 %"}}}}};
  const std::string html = html_page({folder, {"a.sqlite", "busy", {}}});
  EXPECT_TRUE(contains_all(html, {"<a href=\"#profile-1\">a.sqlite</a>", "id=\"profile-1\""}));
  EXPECT_FALSE(contains(html, ">b</a>")) << "it has no page";
}

TEST(Look, SharesAreABarWhoseColoursTheRowsRepeat) {
  PageSection part{"A step", {{""}, {"share", true}}, {{"copies", "75 %"}, {"idle: host code", "25 %"}}};
  part.shares = {0.75, 0.25};
  part.values = {{"what", "", false, {"copies", "idle: host code"}, {}}, {"share", "ratio", false, {}, part.shares}};
  const std::string html = html_part(part, "p");
  EXPECT_TRUE(
      contains_all(html, {"<div class=\"cp\" style=\"flex:7500.0 0 0\"", "<div class=\"ih\" style=\"flex:2500.0 0 0\"",
                          "<i class=\"key ih\"></i>idle: host code"}))
      << html;
}

TEST(Look, TheNumbersOfAFindingStandBelowItAndAnOpenOneIsNoTitleOfWeight) {
  const std::string sure =
      html_page({{"a against b", "2.69x faster (147 -> 54.7 ms a step; 5 + 5 runs): new kernels", {}}}, "compare");
  EXPECT_TRUE(contains_all(
      sure, {"<h1>2.69x faster: new kernels</h1>", "<p class=\"lede\">147 → 54.7 ms a step; 5 + 5 runs</p>"}));
  for (const char* open :
       {"1.20x faster? (6 -> 5 ms a step; one run a side)", "No clear change (+0.7 % a step; one run a side)",
        "Cannot tell (+5.0 % a step; 2 + 2 runs)"})
    EXPECT_TRUE(contains(html_page({{"a against b", open, {}}}, "compare"), "<h1 class=\"open\">")) << open;
}

TEST(Look, NamesCanNeitherSteerTheTerminalNorThePage) {
  Page page{"evil\x1b[2J<script>", "h", {{"P", {{"x"}}, {{"<b>\x1b[1m"}}, {"a & b"}}}};
  EXPECT_FALSE(contains(printed(page), "\x1b"));
  const std::string html = html_page({page});
  EXPECT_FALSE(contains(html, "evil\x1b[2J<script>"));
  EXPECT_TRUE(contains_all(html, {"&lt;b&gt;", "a &amp; b"}));
  EXPECT_TRUE(contains(html, "default-src 'none'")) << "it fetches nothing";
}

}  // namespace assay::look::look_print_test
