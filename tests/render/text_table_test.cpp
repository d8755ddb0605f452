// Rows for people, spreadsheets and programs.
#include "render/text_table.hpp"

#include "support/test.hpp"

namespace assay::text_table_test {

std::string written(RowFormat format) {
  TextTable table({{"file"}, {"kernels", true}, {"said"}});
  table.row({"a,b.sqlite", "12", "it \"runs\""});
  table.row({"c.sqlite", "-", ""});
  std::ostringstream out;
  table.write(out, format);
  return out.str();
}

TEST(TextTable, IsATableForPeople) {
  EXPECT_EQ(written(RowFormat::kTable),
            "file        kernels  said\n"
            "a,b.sqlite       12  it \"runs\"\n"
            "c.sqlite          -\n");
}

TEST(TextTable, IsCsvAsRfc4180Says) {
  EXPECT_EQ(written(RowFormat::kCsv), "file,kernels,said\n\"a,b.sqlite\",12,\"it \"\"runs\"\"\"\nc.sqlite,,\n");
}

TEST(TextTable, IsAnArrayOfObjectsForPrograms) {
  EXPECT_EQ(written(RowFormat::kJson),
            "[\n {\"file\": \"a,b.sqlite\", \"kernels\": 12, \"said\": \"it \\\"runs\\\"\"},\n"
            " {\"file\": \"c.sqlite\", \"kernels\": null, \"said\": \"\"}\n]\n");
}

TEST(TextTable, OnlyWhatJsonHasAsANumberIsOne) {
  TextTable table({{"n", true}});
  for (const char* cell : {"-1.5e-07", "007", "inf", "1 ms", "", "+3"}) table.row({cell});
  std::ostringstream out;
  table.write(out, RowFormat::kJson);
  EXPECT_EQ(out.str(),
            "[\n {\"n\": -1.5e-07},\n {\"n\": \"007\"},\n {\"n\": \"inf\"},\n {\"n\": \"1 ms\"},\n {\"n\": null},\n"
            " {\"n\": \"+3\"}\n]\n");
}

TEST(Rows, ValuesThatAreNotThereAreNullOrNothing) {
  const auto written = [](RowFormat format) {
    std::ostringstream out;
    const auto rows = row_writer(format, {"a", "b"}, out);
    rows->row(std::vector<RowCell>{{"1", true}, {"", false, true}});
    rows->row(std::vector<RowCell>{{"-inf", true}, {"x,\"y\"\n\xff"}});
    rows->end();
    return out.str();
  };
  EXPECT_EQ(written(RowFormat::kCsv), "a,b\n1,\n-inf,\"x,\"\"y\"\"\n\xff\"\n");
  EXPECT_EQ(written(RowFormat::kJson),
            "[\n {\"a\": 1, \"b\": null},\n {\"a\": \"-inf\", \"b\": \"x,\\\"y\\\"\\n\xef\xbf\xbd\"}\n]\n");
  EXPECT_EQ(written(RowFormat::kLine).substr(0, 12), "a = 1\nb = \n\n");
}

TEST(Rows, AreKnownForAnEmptyTable) {
  const auto empty = [](RowFormat format) {
    std::ostringstream out;
    row_writer(format, {"a"}, out)->end();
    return out.str();
  };
  EXPECT_EQ(empty(RowFormat::kCsv), "a\n");
  EXPECT_EQ(empty(RowFormat::kJson), "[]\n");
  EXPECT_EQ(empty(RowFormat::kTable), "a\n-\n");
}

}  // namespace assay::text_table_test
