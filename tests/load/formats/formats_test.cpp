#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "catalog/places.hpp"
#include "cli/commands.hpp"
#include "config/nsys_database.hpp"
#include "discover/discover.hpp"
#include "load/format.hpp"
#include "load/report_names.hpp"
#include "propose/toml.hpp"
#include "support/check.hpp"
#include "support/temp_folder.hpp"

namespace assay {
namespace formats_test {

class Formats : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "run.profile") << "{\"profile\": \"json_lines\"}\n"
                                           << "{\"kernel\": \"late\", \"start\": 300, \"end\": 450}\n"
                                           << "{\"kernel\": \"early\", \"start\": 100, \"end\": 200}\n";
  }
  TempFolder folder_;
};

TEST_F(Formats, AnAddedFormatIsDiscovered) {
  const std::filesystem::path folders[] = {folder_.path()};
  const Result<Catalog> catalog = discover({}, folders);
  ASSERT_TRUE(catalog) << catalog.error().sentence;
  ASSERT_EQ(catalog->files.size(), 1U);
  EXPECT_EQ(catalog->files[0].kind.word, "json lines");
  EXPECT_TRUE(is_report(catalog->files[0].kind));
  EXPECT_EQ(catalog->files[0].environment, (Environment{{"profiler", "lines of JSON"}}));
}

TEST_F(Formats, AnAddedFormatIsLoaded) {
  const FoundFile found = sniff(folder_ / "run.profile", "run");
  const auto profile = load_profile({found.path, found.kind}, found.name, {col::kernels, col::kernel_name});
  ASSERT_TRUE(profile) << profile.error().sentence;
  const auto view = profile->view({}, {});
  ASSERT_TRUE(view) << view.error().sentence;
  const Report& report = view->report();
  ASSERT_EQ(report.kernels->rows, 2U);
  EXPECT_EQ(report.string(report.kernels->name[0]), "early");
  EXPECT_EQ(report.kernels->end[1], 450);
  EXPECT_EQ(report.window->end, 450);
}

TEST_F(Formats, AnAddedFormatIsListed) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(list_reports({folder_.path()}, {}), Exit::kOk);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(contains(text, "run.profile  json lines"));
  EXPECT_TRUE(contains(text, "1 file, 0 nsys reports, 1 profile of JSON lines;"));
}

TEST_F(Formats, AnAddedFormatIsKnownByTheNamesOfItsRow) {
  EXPECT_EQ(stem_of("vit16.profile"), "vit16");
  EXPECT_EQ(stem_of("vit16.prof-rep"), "vit16");
  EXPECT_TRUE(named_like_a_report("a/VIT16.Profile"));
  EXPECT_TRUE(named_like_a_report("vit16.prof-rep"));
  EXPECT_FALSE(named_like_a_report("vit16.txt"));
  EXPECT_TRUE(contains(expected_reports(), ", profiles of JSON lines (.profile)"));
  const std::filesystem::path nothing[] = {folder_ / "nothing"};
  EXPECT_TRUE(contains(no_report_in(nothing).sentence, "profiles of JSON lines (.profile)"));
}

TEST_F(Formats, InitAsksForTheFilesOfAnAddedFormat) {
  init::Proposal proposal;
  proposal.folder = folder_.path();
  proposal.kind = "json lines";
  proposal.others = true;
  EXPECT_TRUE(contains(init::toml_of(proposal), "include = [\"**/*.profile\"]"));
}

TEST_F(Formats, ADatabaseWithASingleTableOfNsysIsRead) {
  for (const char* table : {"SCHED_EVENTS", "OSRT_API", "COMPOSITE_EVENTS", "ANALYSIS_DETAILS", "DIAGNOSTIC_EVENT",
                            "TARGET_INFO_NIC_INFO", "CUPTI_ACTIVITY_KIND_KERNEL"}) {
    const std::filesystem::path file = folder_ / (std::string(table) + ".sqlite");
    run_sql(file, std::string("CREATE TABLE ") + table + " (start INTEGER, end INTEGER)");
    const FoundFile found = sniff(file, table);
    EXPECT_EQ(found.kind, FileKind::kNsysSqlite) << table;
    const auto profile = load_profile({file, found.kind}, table, {col::kernels});
    EXPECT_TRUE(profile) << profile.error().sentence;
  }
}

TEST_F(Formats, WhatNoFormatReadsIsRefusedByItsKind) {
  const auto profile = load_profile({folder_ / "run.profile", FileKind::kSidecar}, "run", {col::kernels});
  ASSERT_FALSE(profile);
  EXPECT_TRUE(contains(profile.error().sentence, "sidecar"));
}

TEST(FormatTable, KindsAndWordsAreDifferent) {
  std::set<std::string_view> words = {FileKind::kOtherSqlite.word, FileKind::kSidecar.word, FileKind::kUnreadable.word};
  for (const load::Format* format : load::formats()) {
    EXPECT_TRUE(words.insert(format->kind.word).second) << format->kind.word;
    EXPECT_TRUE(is_report(format->kind));
    EXPECT_EQ(load::format_of(format->kind), format);
  }
}

}  // namespace formats_test
}  // namespace assay
