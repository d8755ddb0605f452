// Number tokens to integers, against what the decimals say.
#include "formats/torch/number.hpp"

#include "support/test.hpp"

namespace assay::load::number_test {

TEST(Number, MicrosecondsBecomeNanosecondsExactly) {
  EXPECT_EQ(parse_time("4366440528727.523"), 4366440528727523);
  EXPECT_EQ(parse_time("1623212388435552"), 1623212388435552000);
  EXPECT_EQ(parse_time("1.5"), 1500);
  EXPECT_EQ(parse_time("0.001"), 1);
  EXPECT_EQ(parse_time("-2.25"), -2250);
  EXPECT_EQ(parse_time("7 \n  "), 7000) << "tokens carry the white space behind them";
  EXPECT_EQ(parse_time("\"12.5\""), 12500) << "numbers in quotes";
}

TEST(Number, NeverGoesThroughFloatingPoint) {
  EXPECT_EQ(parse_time("9007199254740993.001"), 9007199254740993001) << "a double would end in ...992000";
  EXPECT_EQ(parse_time("1790857026000000.123"), 1790857026000000123);
}

TEST(Number, MoreThanThreeDecimalsRoundHalvesUp) {
  EXPECT_EQ(parse_time("1.0004"), 1000);
  EXPECT_EQ(parse_time("1.0005"), 1001);
  EXPECT_EQ(parse_time("-1.0005"), -1001);
  EXPECT_EQ(parse_time("0.30000000000000004"), 300) << "as tools write 0.1 + 0.2";
  EXPECT_EQ(parse_time("1.99949999999999999999999999999999"), 1999);
}

TEST(Number, ExponentsCount) {
  EXPECT_EQ(parse_time("1.5e3"), 1500000);
  EXPECT_EQ(parse_time("1.6232123884355E+15"), 1623212388435500000);
  EXPECT_EQ(parse_time("25e-1"), 2500);
  EXPECT_EQ(parse_time("1e-300"), 0);
  EXPECT_EQ(parse_time("0e999999999999"), 0);
}

TEST(Number, DurationsThatAreNotZeroStaySo) {
  EXPECT_EQ(parse_duration("0.0004"), 1);
  EXPECT_EQ(parse_duration("1e-30"), 1);
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("0.000"), 0);
  EXPECT_EQ(parse_duration("0.928"), 928);
  EXPECT_EQ(parse_duration("-1"), -1000);
}

TEST(Number, IsEmptyForOtherTexts) {
  for (const char* text : {"", "-", "null", "\"abc\"", "1.", ".5", "1e", "1x", "0x10", "1.2.3", "nan", "Infinity"})
    EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
}

TEST(Number, IsEmptyIfOutOfRange) {
  EXPECT_EQ(parse_decimal("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(parse_decimal("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_decimal("18446744073709551615"), std::nullopt);
  EXPECT_EQ(parse_decimal("99999999999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_time("9223372036854775.808"), std::nullopt);
  EXPECT_EQ(parse_time("1e100"), std::nullopt);
}

}  // namespace assay::load::number_test
