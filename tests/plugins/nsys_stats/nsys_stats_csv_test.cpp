// Cells of the CSV that `assay stats` writes: every length of a number, and texts that need quotes.
#include "stats/stats_text.hpp"
#include "support/test.hpp"

namespace assay::nsys_stats_csv_test {

/// The CSV of batches of one column, without its heading and the empty line at the end.
template <class Fill>
std::string cells(const std::vector<Fill>& batches) {
  std::ostringstream out;
  CsvWriter writer(out);
  for (const Fill& fill : batches) {
    ColumnView column{"C", "", CellType::kText, {}, {}, {}};
    fill(column);
    TableView table;
    table.columns = {&column, 1};
    writer.rows(table);
  }
  writer.finish();
  const std::string text = out.str();
  return text.substr(2, text.size() - 3);
}

std::string integers(const std::vector<std::int64_t>& values) {
  return cells(std::vector{[&](ColumnView& column) {
    column.type = CellType::kInteger;
    column.integers = values;
  }});
}

TEST(StatsCsv, IntegersOfEveryLength) {
  std::vector<std::int64_t> values{0, std::numeric_limits<std::int64_t>::max(),
                                   std::numeric_limits<std::int64_t>::min() + 1};
  for (std::int64_t power = 1;; power *= 10) {
    for (const std::int64_t beside : {-1, 0, 1}) values.insert(values.end(), {power + beside, -(power + beside)});
    if (power == 1'000'000'000'000'000'000) break;
  }
  for (int bit = 0; bit < 63; ++bit)
    values.insert(values.end(), {(std::int64_t{1} << bit) - 1, std::int64_t{1} << bit});
  std::string expected;
  for (const std::int64_t value : values) expected += std::to_string(value) + "\n";
  EXPECT_EQ(integers(values), expected);
}

TEST(StatsCsv, AnIntegerThatIsNotThereIsAnEmptyCell) { EXPECT_EQ(integers({7, kNoInteger, 8}), "7\n\n8\n"); }

TEST(StatsCsv, OddTextsAreQuotedInEveryRow) {
  const std::string plain = "gemm", comma = "f<a, b>", quote = "say \"so\"",
                    broken =
                        "a\xff"
                        "b",
                    umlaut = "gr\xc3\xbc\xc3\x9f";
  std::vector<Str> texts;
  std::string expected;
  for (int row = 0; row < 1000; ++row) {
    for (const std::string* text : {&plain, &comma, &quote, &broken, &umlaut}) texts.emplace_back(*text);
    expected +=
        "gemm\n\"f<a, b>\"\n\"say \"\"so\"\"\"\na\xef\xbf\xbd"
        "b\ngr\xc3\xbc\xc3\x9f\n";
  }
  EXPECT_EQ(cells(std::vector{[&](ColumnView& column) { column.texts = texts; }}), expected);
}

// More different texts than are remembered, so that they take each other's places.
TEST(StatsCsv, ManyOddTexts) {
  std::vector<std::string> owned;
  for (int i = 0; i < 5000; ++i) owned.push_back("k<" + std::to_string(i) + ", x>");
  std::vector<Str> texts;
  std::string expected;
  for (int twice = 0; twice < 2; ++twice) {
    for (const std::string& text : owned) {
      texts.emplace_back(text);
      expected += '"' + text + "\"\n";
    }
  }
  EXPECT_EQ(cells(std::vector{[&](ColumnView& column) { column.texts = texts; }}), expected);
}

TEST(StatsCsv, ReadsNewTextsAtReusedAddresses) {
  std::string place;
  std::vector<Str> texts;
  const auto batch = [&](const std::string& text) {
    return [&, text](ColumnView& column) {
      place = text;
      texts.assign(1, Str(place));
      column.texts = texts;
    };
  };
  place.reserve(64);
  EXPECT_EQ(cells(std::vector{batch("a, b"), batch("c, d")}), "\"a, b\"\n\"c, d\"\n");
}

}  // namespace assay::nsys_stats_csv_test
