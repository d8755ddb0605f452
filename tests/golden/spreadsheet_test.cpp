// facts.xlsx, taken apart as the ZIP archive of XML that it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "render/fact_rows.hpp"
#include "results/facts_xlsx.hpp"
#include "results/write_outputs.hpp"
#include "sample_run.hpp"
#include "scratch_folder.hpp"

namespace assay::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t little(const std::string& bytes, std::size_t at, int count) {
  std::size_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = value << 8U | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
  return value;
}

std::string inflated(const std::string& packed, std::size_t size) {
  std::string out(size, ' ');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

/// The members of an archive by its central directory.
std::map<std::string, std::string> members(const std::filesystem::path& file) {
  const std::string zip = read_text(file);
  const std::size_t end = zip.rfind("PK\5\6");
  EXPECT_NE(end, std::string::npos) << "no archive";
  if (end == std::string::npos) return {};
  std::map<std::string, std::string> all;
  std::size_t at = little(zip, end + 16, 4);
  for (std::size_t i = 0; i < little(zip, end + 10, 2); ++i) {
    const std::size_t method = little(zip, at + 10, 2), packed = little(zip, at + 20, 4),
                      size = little(zip, at + 24, 4);
    const std::size_t name = little(zip, at + 28, 2), local = little(zip, at + 42, 4);
    const std::size_t data = local + 30 + little(zip, local + 26, 2) + little(zip, local + 28, 2);
    const std::string bytes = zip.substr(data, packed);
    all[zip.substr(at + 46, name)] = method == 0 ? bytes : inflated(bytes, size);
    at += 46 + name + little(zip, at + 30, 2) + little(zip, at + 32, 2);
  }
  return all;
}

TEST(Spreadsheet, HoldsFactsWithTheLabelsOfTheirReports) {
  SampleRun sample;
  fill(sample);
  sample.first_question().labels.labels[0].type = LabelType::kInteger;
  sample.report(0, 1).attributes.clear();
  const ScratchFolder scratch;
  ASSERT_TRUE(facts_xlsx(sample.run, FactRows(sample.run), scratch / "facts.xlsx"));
  auto parts = members(scratch / "facts.xlsx");
  EXPECT_THAT(parts["xl/workbook.xml"], HasSubstr("name=\"wide\""));
  const std::string& wide = parts["xl/worksheets/sheet1.xml"];
  EXPECT_THAT(wide, HasSubstr("<t>runs/one.sqlite</t>"));
  EXPECT_THAT(wide, HasSubstr("<c r=\"C2\"><v>6</v></c>")) << "a label that is a number is one";
  EXPECT_THAT(wide, HasSubstr("<c r=\"D2\"><v>16664228</v></c>"));
  EXPECT_THAT(wide, Not(HasSubstr("<c r=\"C3\""))) << "a label that a report does not have is no value";
  const std::string& rows = parts["xl/worksheets/sheet2.xml"];
  EXPECT_THAT(rows, HasSubstr("<t>kind=x</t>"));
  EXPECT_THAT(parts["docProps/core.xml"], HasSubstr("2000-01-01T00:00:00Z")) << "the day it was made is not in it";
}

TEST(Spreadsheet, TextsAreNeverFormulas) {
  SampleRun sample;
  sample.add_file("=1+1.sqlite");
  sample.add_question();
  sample.report(0, 0).facts = {{"b.ratio", "", 0.1, {}}};
  const ScratchFolder scratch;
  ASSERT_TRUE(facts_xlsx(sample.run, FactRows(sample.run), scratch / "facts.xlsx"));
  const std::string wide = members(scratch / "facts.xlsx")["xl/worksheets/sheet1.xml"];
  EXPECT_THAT(wide, HasSubstr("t=\"inlineStr\"><is><t>=1+1.sqlite</t>"));
  EXPECT_THAT(wide, Not(HasSubstr("<f>")));
}

TEST(Spreadsheet, ASheetOfTooManyRowsIsNotWrittenAndThatIsSaid) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(facts_xlsx(sample.run, FactRows(sample.run), scratch / "four.xlsx", 4));
  auto parts = members(scratch / "four.xlsx");
  EXPECT_THAT(parts["xl/workbook.xml"], HasSubstr("name=\"wide\""));
  EXPECT_THAT(parts["xl/workbook.xml"], Not(HasSubstr("name=\"long\"")));
  EXPECT_THAT(parts["xl/worksheets/sheet3.xml"],
              HasSubstr("There is no sheet \"long\": it would have 4 rows and 9 columns, and a sheet has at most 4"))
      << "four facts and a heading are five rows";
  ASSERT_TRUE(facts_xlsx(sample.run, FactRows(sample.run), scratch / "five.xlsx", 5));
  EXPECT_THAT(members(scratch / "five.xlsx")["xl/workbook.xml"], HasSubstr("name=\"long\""));
}

TEST(Spreadsheet, IsOneOfTheOutputsWhereAskedForAndGoesWithThem) {
  SampleRun sample;
  fill(sample);
  const ScratchFolder scratch;
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out", false, {.run_json = {}, .spreadsheet = true}));
  const std::string first = read_text(scratch / "out/facts.xlsx");
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out", false, {.run_json = {}, .spreadsheet = true}));
  EXPECT_EQ(read_text(scratch / "out/facts.xlsx"), first);
  ASSERT_TRUE(write_outputs(sample.run, scratch / "out"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "out/facts.xlsx")) << "of an earlier run";
}

}  // namespace
}  // namespace assay::testing
