#include <gtest/gtest.h>

#include <fstream>

#include "assay/testing/table_recorder.hpp"

extern "C" const assay::FormatDescriptor assay_format;

namespace {

TEST(@CLASS@, ReadsKernelsAndSamples) {
  assay::testing::TableRecorder tables(assay_format);
  ASSERT_EQ(tables.load(GOLDEN "/example.@NAME@.jsonl"), "");
  EXPECT_EQ(tables.cells(assay::col::kernels, &assay::KernelTable::start), (std::vector<std::int64_t>{300, 100}));
  EXPECT_EQ(tables.cells(assay::col::kernels, &assay::KernelTable::stream), (std::vector<std::int32_t>{7, 7}));
  EXPECT_EQ(tables.string(tables.cells(assay::col::kernels, &assay::KernelTable::name)[1]), "gemm");
  EXPECT_EQ(tables.cells(assay::col::calls, &assay::CallTable::end), (std::vector<std::int64_t>{80, 60}));
  EXPECT_EQ(tables.declared<double>("@NAME@_power", "watts"), (std::vector<double>{310.5, 420}));
  EXPECT_EQ(tables.passed_over_rows["unknown lines"], 1);
}

TEST(@CLASS@, KnowsItsOwnFilesAlone) {
  EXPECT_TRUE(assay_format.sniff({.path = "x", .size = 60, .head = R"({"format": "@NAME@", "device": "H100"})"}));
  EXPECT_FALSE(assay_format.sniff({.path = "x", .size = 20, .head = R"({"traceEvents": [])"}));
}

TEST(@CLASS@, SaysWhichLineIsNone) {
  const std::string file = ::testing::TempDir() + "@NAME@_test.jsonl";
  std::ofstream(file) << "{\"format\": \"@NAME@\"}\nkernel gemm\n";
  assay::testing::TableRecorder tables(assay_format);
  EXPECT_EQ(tables.load(file), "line 2 is no object of JSON");
}

}  // namespace
