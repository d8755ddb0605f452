// Bytes and characters: percent-encoding, the byte order mark, where UTF-8 may be cut.
#include "files/byte_order_mark.hpp"
#include "files/percent.hpp"
#include "files/utf8.hpp"
#include "support/test.hpp"

namespace assay::text_test {

/// RFC 3986, 2.3.
constexpr std::string_view kUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

TEST(Percent, EncodesAllBytesButUnreservedOnes) {
  for (int value = 0; value < 256; ++value) {
    const auto byte = static_cast<char>(static_cast<unsigned char>(value));
    EXPECT_EQ(is_unreserved(byte), kUnreserved.find(byte) != std::string_view::npos) << value;
  }
}

TEST(Percent, TwoUpperCaseDigitsAByte) {
  std::string out;
  for (const char byte : {'\0', '\x0a', '%', '\x7f', '\xc3', '\xff'}) append_percent(out, byte);
  EXPECT_EQ(out, "%00%0A%25%7F%C3%FF");
}

TEST(Percent, APathKeepsItsSlashesAndNothingThatAUriReads) {
  EXPECT_EQ(uri_path("/a b/c?d=1&e#f%20"), "/a%20b/c%3Fd%3D1%26e%23f%2520");
  EXPECT_EQ(uri_path("/r\xC3\xA9sum\xC3\xA9/~x_y-z.sqlite"), "/r%C3%A9sum%C3%A9/~x_y-z.sqlite");
  EXPECT_EQ(uri_path(""), "");
}

TEST(Percent, LeavesThePlainBytesOfTheCaller) {
  std::string out = "k=";
  append_percent_encoded(out, "a;b=c%", [](char c) { return c != ';' && c != '=' && c != '%'; });
  EXPECT_EQ(out, "k=a%3Bb%3Dc%25");
}

TEST(ByteOrderMark, IsLeftOutOnceAndOnlyInFront) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBFtext"), "text");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF\xEF\xBB\xBFtext"), "\xEF\xBB\xBFtext");
  EXPECT_EQ(without_byte_order_mark("text\xEF\xBB\xBF"), "text\xEF\xBB\xBF");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB"), "\xEF\xBB") << "half of it is none";
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF"), "");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

TEST(Utf8, IsCutBetweenCharacters) {
  EXPECT_EQ(utf8_prefix("abc", 3), "abc");
  EXPECT_EQ(utf8_prefix("abc", 2), "ab");
  const std::string_view four = "a\xF0\x9F\x98\x80z";  // one byte, then a character of four
  for (std::size_t most = 1; most < 5; ++most) EXPECT_EQ(utf8_prefix(four, most), "a") << most;
  EXPECT_EQ(utf8_prefix(four, 5), "a\xF0\x9F\x98\x80");
  EXPECT_EQ(utf8_prefix("\xC3\xA9", 1), "");
}

TEST(Utf8, LengthOfTheFirstCharacter) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("\xC3\xA9x"), 2U);
  EXPECT_EQ(utf8_length("\xE2\x82\xAC"), 3U);
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80"), 4U);
  for (const char* wrong : {"\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xFF"})
    EXPECT_EQ(utf8_length(wrong), 0U) << wrong;
}

}  // namespace assay::text_test
