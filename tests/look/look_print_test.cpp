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

TEST(Look, NumbersOfAColumnHaveOneUnitAndNothingBecomesZero) {
  EXPECT_TRUE(equals(column_texts({12.8e6, 530e3}, "ns"), {"12.8 ms", "0.5 ms"}));
  EXPECT_TRUE(equals(column_texts({7.8e9, 1000, 0}, "ns"), {"7.80 s", "< 0.01 s", "0"}));
  EXPECT_TRUE(equals(column_texts({std::numeric_limits<double>::quiet_NaN(), 3}, "1"), {"not known", "3"}));
  EXPECT_EQ(column_texts({0.001}, "ratio"), (std::vector<std::string>{"< 1 %"}));
  EXPECT_EQ(column_texts({0}, "ratio"), (std::vector<std::string>{"0 %"}));
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
  EXPECT_TRUE(contains(printed(page), "and 7 more (all with -o)"));
  const std::string all = printed(page, 100, kEveryRow);
  EXPECT_TRUE(contains(all, "row18")) << "rows sum to the step only together";
  EXPECT_FALSE(contains(all, "-o"));
}

TEST(Look, LongWordsOfTheLastColumnAreBrokenWithinTheWidth) {
  Page page{
      "folder", "h", {{"Unlike", {{"report"}, {"why"}}, {{"few.sqlite", "only 3 kernels; takes 22 us and more"}}}}};
  EXPECT_TRUE(contains(printed(page, 40), "  few.sqlite  only 3 kernels; takes 22\n              us and more\n"));
}

TEST(Look, ATableWiderThanTheTerminalIsPrintedInBlocks) {
  Page page{"r", "h", {{"Ranges", {{"range"}}, {{std::string(50, 'r')}}}}};
  for (const char* column : {"count", "median", "p95", "share", "kernels"}) {
    page.parts[0].columns.push_back({column, true});
    page.parts[0].rows[0].push_back(std::string(column) == "kernels" ? "5552" : "12.5 ms");
  }
  const std::string text = printed(page, 40);
  std::istringstream lines(text);
  std::size_t named = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(display_width(line), 40U) << line;
    named += line.starts_with("  rrr") ? 1U : 0U;
  }
  EXPECT_GE(named, 2U) << "every block begins with the name: " << text;
  EXPECT_TRUE(contains_all(text, {"count", "median", "p95", "share", "kernels", "5552"}));
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
  EXPECT_TRUE(contains_all(html, {"<a href=\"#profile-1\">a.sqlite</a>", "id=\"profile-1\"", "href=\"#all\""}));
  EXPECT_FALSE(contains(html, ">b</a>")) << "it has no page";
}

TEST(Look, SharesAreABarWhoseColoursTheRowsRepeat) {
  PageSection part{"A step", {{""}, {"share", true}}, {{"kernels", "75 %"}, {"host", "25 %"}}};
  part.shares = {0.75, 0.25};
  const std::string html = html_part(part, "p");
  EXPECT_TRUE(contains_all(html, {"<i class=\"s0\" style=\"width:75.0%\">", "<i class=\"s1\" style=\"width:25.0%\">",
                                  "<i class=\"swatch s1\"></i>host"}));
}

TEST(Look, NamesCanNeitherSteerTheTerminalNorThePage) {
  Page page{"evil\x1b[2J<script>", "h", {{"P", {{"x"}}, {{"<b>\x1b[1m"}}, {"a & b"}}}};
  EXPECT_FALSE(contains(printed(page), "\x1b"));
  const std::string html = html_page({page});
  EXPECT_FALSE(contains(html, "<script>"));
  EXPECT_TRUE(contains_all(html, {"&lt;b&gt;", "a &amp; b"}));
  EXPECT_TRUE(contains(html, "default-src 'none'")) << "it fetches nothing and runs nothing";
}

}  // namespace assay::look::look_print_test
