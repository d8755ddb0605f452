#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "look/page.hpp"
#include "look/print.hpp"
#include "support/check.hpp"

namespace assay::look::look_print_test {

std::string printed(const Page& page, std::size_t width = 100) {
  std::ostringstream out;
  TerminalStyle style;
  style.width = width;
  print_page(page, out, style);
  return out.str();
}

Page two_parts() {
  Part left{"Left", {{""}, {"time", true}}, {{"a", "1 ms"}, {"b", "20 ms"}}};
  Part right{"Right", {{""}, {"share", true}}, {{"c", "3 %"}}};
  left.narrow = right.narrow = true;
  return {"report", "headline", {left, right}};
}

TEST(Look, NumbersOfAColumnHaveOneUnitAndNothingBecomesZero) {
  EXPECT_TRUE(equals(column_texts({12.8e6, 530e3}, "ns"), {"12.8 ms", "0.5 ms"}));
  EXPECT_TRUE(equals(column_texts({7.8e9, 1000, 0}, "ns"), {"7.80 s", "< 0.01 s", "0.00 s"}));
  EXPECT_TRUE(equals(column_texts({std::numeric_limits<double>::quiet_NaN(), 3}, "1"), {"not known", "3"}));
  EXPECT_EQ(share_text(0.001), "< 1 %");
  EXPECT_EQ(share_text(0), "0 %");
}

TEST(Look, NarrowPartsStandSideBySideWhereTheyFit) {
  EXPECT_TRUE(contains(printed(two_parts()), "\nLeft                                              Right\n"));
  EXPECT_TRUE(contains(printed(two_parts()), "\n  a   1 ms                                          c    3 %\n"));
  Page wide = two_parts();
  wide.parts[1].rows.front().front() = std::string(60, 'c');
  EXPECT_TRUE(contains(printed(wide), "\n\nRight\n")) << "one below the other";
}

TEST(Look, LongWordsOfTheLastColumnAreBrokenWithinTheWidth) {
  Page page{
      "folder", "h", {{"Unlike", {{"report"}, {"why"}}, {{"few.sqlite", "only 3 kernels; takes 22 us and more"}}}}};
  EXPECT_TRUE(contains(printed(page, 40), "  few.sqlite  only 3 kernels; takes 22\n              us and more\n"));
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
