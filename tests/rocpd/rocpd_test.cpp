// What is said of rocpd files that lack something, and what is never said.
#include "catalog/catalog.hpp"
#include "loaded_rocpd.hpp"
#include "made_rocpd.hpp"
#include "support/test.hpp"

namespace assay::rocpd_rocpd_test {

MadeRocpd made(const char* environment = nullptr) {
  return MadeRocpd("3.0.0", environment == nullptr ? all_traced() : environment);
}

TEST(Rocpd, NamesTheEnvironmentOfTheRun) {
  MadeRocpd file = made();
  const FoundFile found = sniff(file.process(kOne, 20).write(), "made_results.db");
  EXPECT_EQ(found.kind.word, "rocpd");
  EXPECT_EQ(found.environment, (Environment{{"clock", "2100 MHz"},
                                            {"cuda", "HIP 7.1"},
                                            {"device", "AMD Instinct MI300X"},
                                            {"profiler", "rocprofv3 of ROCm 7.1.1"},
                                            {"program", "./train"},
                                            {"rank", "3"},
                                            {"world_size", "8"}}))
      << "and no other variable, and no argument";
}

TEST(Rocpd, TheEnvironmentIsNotReadOut) {
  MadeRocpd file = made();
  const LoadedRocpd loaded(file.process(kOne, 20).write(), Reader::kDirect);
  const PropertyTable& properties = *loaded.report().properties;
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < properties.rows; ++i)
    all.emplace_back(properties.name[i].view(), properties.value[i].view());
  EXPECT_TRUE(includes(all, {"environment.RANK", "3"}));
  EXPECT_TRUE(includes(all, {"hostname", "node1"}));
  for (const auto& [name, value] : all) EXPECT_FALSE(contains(value, "hunter2")) << name;
  for (const Str text : loaded.report().strings) EXPECT_FALSE(contains(std::string(text.view()), "hunter2"));
}

TEST(Rocpd, RanksOfAMergedFileThatDifferAreNotRank) {
  MadeRocpd file = made();
  file.process(kOne, 20).environment(R"({"RANK":"4","WORLD_SIZE":"8"})").process(kTwo, 21);
  const FoundFile found = sniff(file.write(), "made_results.db");
  EXPECT_FALSE(includes_key(found.environment, "rank"));
}

TEST(Rocpd, ShowsUntracedDomainsAsUnknown) {
  MadeRocpd traced = made();
  const LoadedRocpd none(traced.empty_process(kOne, 20).write(), Reader::kDirect);
  ASSERT_NE(none.report().copies, nullptr) << "copies were traced, and none came";
  EXPECT_EQ(none.report().copies->rows, 0U);
  ASSERT_NE(none.report().kernels, nullptr);
  MadeRocpd untraced = made(R"({"ROCPROF_HIP_RUNTIME_API_TRACE":"1"})");
  const LoadedRocpd unknown(untraced.empty_process(kOne, 20).write(), Reader::kDirect);
  EXPECT_EQ(unknown.report().copies, nullptr);
  EXPECT_EQ(unknown.report().kernels, nullptr);
  EXPECT_EQ(unknown.report().ranges, nullptr);
  EXPECT_NE(unknown.report().calls, nullptr);
  EXPECT_TRUE(each_contains(unknown.issues(), {"record the run with rocprofv3 --kernel-trace"}));
}

TEST(Rocpd, RowsWithoutWhatTheyReferToAreKept) {
  MadeRocpd file = made();
  file.process(kOne, 20);
  file.add(std::string("UPDATE \"rocpd_kernel_dispatch") + kOne + "\" SET event_id = NULL, kernel_id = 99;");
  file.add(std::string("UPDATE \"rocpd_region") + kOne + "\" SET event_id = NULL;");
  for (const Reader reader : {Reader::kDirect, Reader::kSqlite}) {
    const LoadedRocpd loaded(file.write(), reader);
    ASSERT_EQ(loaded.report().kernels->rows, 1U) << "AMD's view loses it";
    EXPECT_EQ(loaded.report().kernels->call[0], kNone);
    EXPECT_TRUE(each_contains(loaded.issues(), {"does not name", "refer to no event", "no event with a category"}));
    EXPECT_EQ(loaded.report().calls->rows, 5U);
  }
}

/// Whether an error of that name is among the issues.
bool has_error(const LoadedRocpd& loaded, std::string_view name) {
  const IssueTable& issues = *loaded.report().issues;
  for (std::size_t i = 0; i < issues.rows; ++i) {
    if (issues.name[i] == name && issues.severity[i] == Severity::kError) return true;
  }
  return false;
}

TEST(Rocpd, NamesThatAreGoneAreSaid) {
  for (const std::string& damage : {std::string("DROP TABLE \"rocpd_string"), std::string("DELETE FROM \"rocpd_string"),
                                    std::string("UPDATE \"rocpd_region")}) {
    MadeRocpd file = made();
    const bool update = damage.starts_with("UPDATE");
    file.process(kOne, 20).add(damage + kOne + "\"" + (update ? " SET name_id = 999;" : ";"));
    EXPECT_TRUE(has_error(LoadedRocpd(file.write(), Reader::kDirect), "missing_names")) << damage;
  }
}

TEST(Rocpd, AgentsAreReadHoweverDeepTheirDescriptionIs) {
  constexpr std::size_t kDeep = 200'000;
  MadeRocpd file = made();
  const std::string deep = R"({"mem_banks":)" + std::string(kDeep, '[') + std::string(kDeep, ']') + "}";
  file.process(kOne, 20).add(std::string("UPDATE \"rocpd_info_agent") + kOne + "\" SET extdata = '" + deep + "';");
  const LoadedRocpd loaded(file.write(), Reader::kDirect);
  ASSERT_NE(loaded.report().devices, nullptr);
  EXPECT_GT(loaded.report().devices->rows, 0U);
}

TEST(Rocpd, WithoutAgentsTheDevicesThatRanAreThereAndSaid) {
  MadeRocpd file = made();
  file.process(kOne, 20).add(std::string("DROP TABLE \"rocpd_info_agent") + kOne + "\";");
  const LoadedRocpd loaded(file.write(), Reader::kDirect);
  EXPECT_TRUE(has_error(loaded, "missing_devices"));
  ASSERT_EQ(loaded.report().devices->rows, 1U);
  EXPECT_EQ(loaded.report().kernels->device[0], loaded.report().devices->id[0]);
}

TEST(Rocpd, WorkOutsideOfItsProcessIsLeftOut) {
  for (const bool says_when : {true, false}) {
    MadeRocpd file = made();
    const std::int64_t boot = 1'071'040'000'000'000;
    file.process(kOne, 20, boot);
    const std::string dispatches = std::string("\"rocpd_kernel_dispatch") + kOne + "\"";
    if (says_when)
      file.add(std::string("UPDATE \"rocpd_info_process") + kOne + "\" SET init = " + std::to_string(boot) +
               ", fini = " + std::to_string(boot + 5000) + ";");
    file.add("INSERT INTO " + dispatches +
             " SELECT 2, guid, nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, "
             "stream_id, 0, \"end\", private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, "
             "workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id, extdata FROM " +
             dispatches + ";");
    const LoadedRocpd loaded(file.write(), Reader::kDirect);
    EXPECT_EQ(loaded.report().kernels->rows, 1U) << says_when;
    EXPECT_TRUE(has_error(loaded, "impossible_times"));
  }
}

TEST(Rocpd, ALaterSchemaIsReadByItsColumnsAndSaid) {
  MadeRocpd file = made();
  file.process(kOne, 20);
  file.add(std::string("CREATE TABLE \"rocpd_wave_trace") + kOne + "\"(id INTEGER PRIMARY KEY);");
  file.add(std::string("UPDATE \"rocpd_metadata") + kOne + "\" SET value = '5.2' WHERE tag = 'schema_version';");
  const LoadedRocpd loaded(file.write(), Reader::kDirect);
  EXPECT_EQ(loaded.report().kernels->rows, 1U);
  EXPECT_TRUE(each_contains(loaded.issues(), {"Its schema is 5.2, newer than those known"}));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < loaded.report().issues->rows; ++i)
    names.emplace_back(loaded.report().issues->name[i].view());
  EXPECT_TRUE(includes(names, "unknown_tables"));
  MadeRocpd known = made();
  const LoadedRocpd whole(known.process(kOne, 20).write(), Reader::kDirect);
  EXPECT_TRUE(is_empty(whole.issues()));
}

TEST(Rocpd, GpusOfTwoNodesAreTwoDevices) {
  MadeRocpd file = made();
  file.process(kOne, 20).process(kTwo, 21);
  file.add(std::string("UPDATE \"rocpd_info_agent") + kTwo + "\" SET nid = 10;");
  const LoadedRocpd loaded(file.write(), Reader::kDirect);
  EXPECT_TRUE(equals(loaded.report().devices->id.view(), {1, 2}));
  EXPECT_TRUE(equals(loaded.report().kernels->device.view(), {1, 2}));
}

TEST(Rocpd, ATableThatIsAViewIsRefused) {
  MadeRocpd file = made();
  file.process(kOne, 20);
  const std::string table = std::string("\"rocpd_kernel_dispatch") + kOne + "\"";
  file.add("ALTER TABLE " + table + " RENAME TO hidden; CREATE VIEW " + table + " AS SELECT * FROM hidden;");
  const auto profile = load_profile({file.write(), LoadedRocpd::kind_of(file.write())}, "made", {col::kernels});
  ASSERT_FALSE(profile);
  EXPECT_TRUE(contains(profile.error().sentence, "it is a view, but rocprofv3 writes a table"));
}

TEST(Rocpd, OtherFilesOfAmdAreRefusedByName) {
  const TempFolder folder;
  const auto refused = [&](const char* name, const char* sql) {
    run_sql(folder.path() / name, sql);
    return sniff(folder.path() / name, name);
  };
  const FoundFile rpd =
      refused("trace.rpd", "CREATE TABLE rocpd_op(id, gpuId); CREATE TABLE rocpd_metadata(tag, value);");
  EXPECT_EQ(rpd.kind, FileKind::kUnreadable);
  EXPECT_TRUE(contains(rpd.problem, "rocmProfileData (RPD)"));
  const FoundFile compute = refused("run.db", "CREATE TABLE compute_workload(id); CREATE TABLE compute_kernel(id);");
  EXPECT_EQ(compute.kind, FileKind::kUnreadable);
  EXPECT_TRUE(contains(compute.problem, "rocprof-compute"));
  const auto csv = folder.path() / "20_kernel_trace.csv";
  std::ofstream(csv) << R"("Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id",)"
                     << R"("Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp")" << "\n";
  const FoundFile text = sniff(csv, "20_kernel_trace.csv");
  EXPECT_EQ(text.kind, FileKind::kUnreadable);
  EXPECT_TRUE(contains(text.problem, "--output-format rocpd"));
  std::ofstream(folder.path() / "20_results.db") << "beside it";
  EXPECT_EQ(sniff(csv, "20_kernel_trace.csv").kind, FileKind::kSidecar) << "the database of the same run is read";
}

}  // namespace assay::rocpd_rocpd_test
