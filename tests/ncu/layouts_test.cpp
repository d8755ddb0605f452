// Every layout that ncu has written, as small files.
#include "ncu_files.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay::layouts_test {

class NcuLayouts : public ::testing::Test {
 protected:
  NcuReport read(const std::string& text, const char* name = "run.csv") { return NcuReport(folder_.write(name, text)); }
  TempFolder folder_;
};

TEST_F(NcuLayouts, DetailsPageWithRowsOf16And20Cells) {
  const std::string rule = csv_line({"0",
                                     "4711",
                                     "app",
                                     "127.0.0.1",
                                     "add_kernel(float *, int)",
                                     "1",
                                     "7",
                                     "(256, 1, 1)",
                                     "(64, 2, 1)",
                                     "0",
                                     "9.0",
                                     "SpeedOfLight",
                                     "",
                                     "",
                                     "",
                                     "SOLBottleneck",
                                     "OPT",
                                     "Memory is \"heavily\" used,\nlook there.",
                                     "global",
                                     "12.5"});
  const NcuReport r = read(
      details_header() + details_row("Memory Throughput", "%", "61.84") + details_row("Duration", "ns", "21,058,944") +
      rule + details_row("Memory Throughput", "Gbyte/s", "345.14", {.section = "Memory Workload Analysis"}) +
      details_row("Function Cache Configuration", "", "CachePreferNone"));
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r->kernels, nullptr);
  EXPECT_EQ(r->calls, nullptr);
  ASSERT_EQ(r->profiled->rows, 1U);
  EXPECT_EQ(r->counters->rows, 3U) << "rules and words are no counters";
  EXPECT_EQ(r->string(r->profiled->name[0]), "add_kernel(float *, int)");
  EXPECT_EQ(r->string(r->profiled->short_name[0]), "add_kernel");
  EXPECT_EQ(r->profiled->process[0], 4711);
  EXPECT_EQ(r->profiled->grid_x[0], 64);
  EXPECT_EQ(r->profiled->grid_y[0], 2);
  EXPECT_EQ(r->profiled->grid_z[0], 1);
  EXPECT_EQ(r->profiled->block_x[0], 256);
  EXPECT_EQ(r->profiled->stream[0], 7);
  EXPECT_EQ(r.counter(0, "Duration"), "21058944 ns");
  EXPECT_EQ(r.counter(0, "Memory Throughput", "GPU Speed Of Light Throughput"), "61.84 %");
  EXPECT_EQ(r.counter(0, "Memory Throughput", "Memory Workload Analysis"), "345140000000 byte/s");
  EXPECT_EQ(r->issues->rows, 0U);
}

TEST_F(NcuLayouts, OldDetailsPageTellsShapesByProducts) {
  const auto row = [](const char* metric, const char* unit, const char* value) {
    return csv_line({"0", "21524", "app", "127.0.0.1", "step_factor", "2020-Apr-07 17:01:05", "1", "7",
                     "Launch Statistics", metric, unit, value});
  };
  const NcuReport r =
      read(csv_line({"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream",
                     "Section Name", "Metric Name", "Metric Unit", "Metric Value"}) +
           "\n" + row("Memory Frequency", "cycle/second", "772656250") + row("Duration", "usecond", "12.5") +
           row("Grid Size", "", "1,024") + row("Block Size", "", "256"));
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r.counter(0, "Memory Frequency"), "772656250 hz");
  EXPECT_EQ(r.counter(0, "Duration"), "12500 ns");
  EXPECT_EQ(r->profiled->grid_x[0], kNone);
  EXPECT_EQ(r->profiled->device[0], kNone);
}

TEST_F(NcuLayouts, RawPageHasALineOfUnits) {
  const NcuReport r = read(csv_line({"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
                                     "Stream", "Block Size", "Grid Size", "Device", "CC", "dram__bytes_read.sum",
                                     "gpu__time_duration.sum", "device__name", "n [Kbyte]"}) +
                           csv_line({"", "", "", "", "", "", "", "", "", "", "", "Mbyte", "usecond", "", ""}) +
                           csv_line({"0", "5", "app", "h", "gemm", "1", "7", "(128, 1, 1)", "(80, 1, 1)", "0", "8.0",
                                     "2.5", "3.25", "NVIDIA X", "4"}) +
                           csv_line({"1", "5", "app", "h", "norm", "1", "7", "(64, 1, 1)", "(1, 1, 1)", "0", "8.0",
                                     "1,000.5", "n/a", "NVIDIA X", "nan"}));
  ASSERT_TRUE(r.ok()) << r.problem();
  ASSERT_EQ(r->profiled->rows, 2U);
  EXPECT_EQ(r.counter(0, "dram__bytes_read.sum"), "2500000 byte");
  EXPECT_EQ(r.counter(0, "gpu__time_duration.sum"), "3250 ns");
  EXPECT_EQ(r.counter(0, "n"), "4000 byte");
  EXPECT_EQ(r.counter(1, "dram__bytes_read.sum"), "1000500000 byte");
  EXPECT_EQ(r.counter(1, "gpu__time_duration.sum"), "");
  EXPECT_EQ(r->counters->rows, 4U);
  EXPECT_EQ(r.issue("ncu_not_available"), 2);
}

TEST_F(NcuLayouts, OldRawPageTellsShapesByMetrics) {
  const NcuReport r =
      read(csv_line({"ID", "Process ID", "Process Name", "Host Name",
                     "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg", "Kernel Name",
                     "Kernel Time", "Context", "Stream", "launch__block_dim_x", "launch__block_dim_y",
                     "launch__block_dim_z", "launch__grid_dim_x", "launch__grid_dim_y", "launch__grid_dim_z"}) +
           csv_line({"", "", "", "", "", "", "", "", "", "", "", "", "", "", ""}) +
           csv_line({"0", "5", "app", "h", "1", "gemm", "2020-Apr-07", "1", "7", "32", "4", "1", "8", "6", "2"}));
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r->counters->rows, 6U) << "the NVTX column is none";
  EXPECT_EQ(r->profiled->block_y[0], 4);
  EXPECT_EQ(r->profiled->grid_z[0], 2);
}

TEST_F(NcuLayouts, NoiseBeforeBetweenAndAfterWithBomAndCrlf) {
  std::string text = "\xEF\xBB\xBF==PROF== Connected to process 1 (/a \"quoted\" path)\nepoch 1, loss 0.5\n" +
                     details_header() + details_row("Duration", "us", "6.75") +
                     "==PROF== Profiling \"add_kernel\" - 1: 0%....100% - 1 pass\nepoch 2, \"loss 0.25\n" +
                     "==WARNING== no counters for this one\n" + details_row("Duration", "us", "7.25", {.id = "1"}) +
                     "done\n==PROF== Disconnected from process 1\n";
  for (const bool crlf : {false, true}) {
    if (crlf) {
      std::string windows;
      for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
      text = windows;
    }
    const NcuReport r = read(text);
    ASSERT_TRUE(r.ok()) << r.problem();
    ASSERT_EQ(r->profiled->rows, 2U);
    EXPECT_EQ(r.counter(1, "Duration"), "7250 ns");
    EXPECT_EQ(r->profiled->group[1], 0) << "equal name and shape";
    EXPECT_EQ(r->issues->rows, 0U);
  }
}

TEST_F(NcuLayouts, SeveralRunsInOneFileAndSeveralFilesOfOneRun) {
  std::string again = details_header() + details_row("Duration", "us", "3");
  again.replace(again.find("4711"), 4, "4712");
  const NcuReport two = read(details_header() + details_row("Duration", "us", "2") + again);
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two->profiled->rows, 2U) << "ID 0 of another process is another launch";

  const auto raw = folder_.write("run.ncu.raw.csv", csv_line({"ID", "Process ID", "Kernel Name", "dram__bytes.sum"}) +
                                                        csv_line({"", "", "", "Kbyte"}) +
                                                        csv_line({"0", "4711", "add_kernel(float *, int)", "8"}));
  const NcuReport pages(folder_.write("run.ncu.details.csv", details_header() + details_row("Duration", "us", "2")),
                        {raw});
  ASSERT_TRUE(pages.ok());
  ASSERT_EQ(pages->profiled->rows, 1U);
  EXPECT_EQ(pages.counter(0, "Duration"), "2000 ns");
  EXPECT_EQ(pages.counter(0, "dram__bytes.sum"), "8000 byte");
}

TEST_F(NcuLayouts, DecimalCommaIsToldByTheWholeFile) {
  const auto of = [&](const std::string& rows) { return read(details_header() + rows); };
  const NcuReport german =
      of(details_row("Elapsed Cycles", "cycle", "12.319") + details_row("SM Throughput", "%", "61,84"));
  EXPECT_EQ(german.counter(0, "Elapsed Cycles"), "12319 cycle");
  EXPECT_EQ(german.counter(0, "SM Throughput"), "61.84 %");
  const NcuReport english =
      of(details_row("Elapsed Cycles", "cycle", "12,319") + details_row("SM Throughput", "%", "61.84"));
  EXPECT_EQ(english.counter(0, "Elapsed Cycles"), "12319 cycle");
  const NcuReport plain = of(details_row("Elapsed Cycles", "cycle", "12,319"));
  EXPECT_EQ(plain.counter(0, "Elapsed Cycles"), "12319 cycle");
  const NcuReport mixed = of(details_row("Elapsed Cycles", "cycle", "12,319") +
                             details_row("SM Throughput", "%", "61.84") + details_row("L2 Throughput", "%", "1,5"));
  EXPECT_EQ(mixed.issue("ncu_mixed_numbers"), 1);
  EXPECT_EQ(mixed.counter(0, "L2 Throughput"), "1.5 %");
}

TEST_F(NcuLayouts, WithoutQuotesAsOtherProgramsSaveIt) {
  const NcuReport r = read(
      "ID,Process ID,Kernel Name,Block Size,Grid Size,Metric Name,Metric Unit,Metric Value\n"
      "0,5,gemm,\"(32, 1, 1)\",\"(4, 1, 1)\",Duration,us,1.5\nsome words, and more\n");
  ASSERT_TRUE(r.ok()) << r.problem();
  EXPECT_EQ(r.counter(0, "Duration"), "1500 ns");
  EXPECT_EQ(r->profiled->grid_x[0], 4);
  EXPECT_EQ(r.issue("ncu_bad_rows"), 1);
}

TEST_F(NcuLayouts, OnlyErrors) {
  const NcuReport r =
      read("==ERROR== Option '--section x' did not match any section.\n==ERROR== Use --list-sections.\n");
  ASSERT_FALSE(r.ok());
  EXPECT_TRUE(contains(r.problem(), "holds no kernel that Nsight Compute profiled"));
  EXPECT_TRUE(contains(r.problem(), "Option '--section x' did not match any section."));
  const NcuReport partly = read("==ERROR== Failed once.\n" + details_header() + details_row("Duration", "us", "2"));
  ASSERT_TRUE(partly.ok());
  EXPECT_EQ(partly.issue("ncu_error"), 1);
  EXPECT_TRUE(contains(partly.issue_text("ncu_error"), "Failed once."));
}

}  // namespace assay::layouts_test
