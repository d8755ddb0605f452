// Rows for people, spreadsheets and programs.
#include "render/text_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace assay {
namespace {

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
  EXPECT_EQ(written(RowFormat::kCsv), "file,kernels,said\r\n\"a,b.sqlite\",12,\"it \"\"runs\"\"\"\r\nc.sqlite,-,\r\n");
}

TEST(TextTable, IsAnArrayOfObjectsForPrograms) {
  EXPECT_EQ(written(RowFormat::kJson),
            "[\n  {\n    \"file\": \"a,b.sqlite\",\n    \"kernels\": 12,\n    \"said\": \"it \\\"runs\\\"\"\n  },\n"
            "  {\n    \"file\": \"c.sqlite\",\n    \"kernels\": \"-\",\n    \"said\": \"\"\n  }\n]\n");
}

}  // namespace
}  // namespace assay
