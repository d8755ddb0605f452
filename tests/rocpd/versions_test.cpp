// One run as every version of the schema writes it: the same report.
#include "loaded_rocpd.hpp"
#include "made_rocpd.hpp"
#include "published_tables.hpp"
#include "query/asking.hpp"
#include "sqlite/database.hpp"
#include "support/test.hpp"

namespace assay::versions_test {

class Versions : public ::testing::TestWithParam<std::tuple<const char*, Reader>> {
 protected:
  [[nodiscard]] MadeRocpd made() const { return MadeRocpd(std::get<0>(GetParam()), all_traced()); }
  [[nodiscard]] LoadedRocpd read(const MadeRocpd& made) const { return {made.write(), std::get<1>(GetParam())}; }
};

TEST_P(Versions, KernelsAreInBlocksAndLinked) {
  MadeRocpd file = made();
  const LoadedRocpd loaded = read(file.process(kOne, 20));
  EXPECT_TRUE(is_empty(loaded.issues()));
  const Report& report = loaded.report();
  const KernelTable& k = *report.kernels;
  ASSERT_EQ(k.rows, 1U);
  EXPECT_EQ(k.start[0], 250);
  EXPECT_EQ(k.end[0], 350);
  EXPECT_EQ(report.string(k.name[0]), "void gemm<float>(int)");
  EXPECT_EQ(report.string(k.short_name[0]), "gemm");
  EXPECT_EQ(report.string(k.mangled_name[0]), "_Z4gemmIfEvi");
  EXPECT_EQ(k.grid_x[0], 4) << "1000 work-items in groups of 256";
  EXPECT_EQ(k.grid_y[0], 2);
  EXPECT_EQ(k.grid_z[0], 1);
  EXPECT_EQ(k.block_x[0], 256);
  EXPECT_EQ(k.registers[0], 96);
  EXPECT_EQ(k.static_shared[0], 1024);
  EXPECT_EQ(k.dynamic_shared[0], 512);
  EXPECT_EQ(k.device[0], 1);
  EXPECT_EQ(k.stream[0], 3);
  ASSERT_NE(k.call[0], kNone);
  EXPECT_EQ(report.string(report.calls->name[static_cast<std::size_t>(k.call[0])]), "hipLaunchKernel");
  const std::string version = std::get<0>(GetParam());
  EXPECT_EQ(k.graph_node[0], version >= "3.0.2" && version < "4" ? 21 : kNone);
}

TEST_P(Versions, CopiesCallsAndRangesAreTold) {
  MadeRocpd file = made();
  const LoadedRocpd loaded = read(file.process(kOne, 20));
  const Report& report = loaded.report();
  ASSERT_NE(report.copies, nullptr);
  ASSERT_EQ(report.copies->rows, 1U);
  EXPECT_EQ(report.copies->bytes[0], 4096);
  EXPECT_EQ(report.copies->direction[0], CopyDirection::kHostToDevice);
  EXPECT_EQ(report.copies->device[0], 1);
  EXPECT_EQ(report.string(report.calls->name[static_cast<std::size_t>(report.copies->call[0])]), "hipMemcpyAsync");
  EXPECT_TRUE(equals(report.calls->kind.view(), {CallKind::kKernelLaunch, CallKind::kCopy, CallKind::kOther}));
  ASSERT_EQ(report.ranges->rows, 2U);
  EXPECT_EQ(report.string(report.ranges->name[0]), "step 1");
  EXPECT_EQ(report.string(report.ranges->name[1]), "ncclAllReduce") << "a call of RCCL is a range too";
  EXPECT_EQ(report.string(report.ranges->domain[1]), "NCCL");
  EXPECT_EQ(report.calls->range[0], 0);
  ASSERT_EQ(report.spans->rows, 1U);
  EXPECT_EQ(report.string(report.spans->name[0]), "load");
  EXPECT_TRUE(equals(report.threads->id.view(), {207}));
  EXPECT_TRUE(equals(report.processes->id.view(), {20}));
}

/// Marks of roctx fold into the tree like ranges of any tool, with the work that was launched in them.
TEST_P(Versions, RangesOfRoctxAreATree) {
  MadeRocpd file = made();
  const LoadedRocpd loaded = read(file.process(kOne, 20));
  EXPECT_EQ(query::ask(loaded.report(),
                       "SELECT path, count, median, gpu_time, kernels, launches FROM range_paths ORDER BY path"),
            (query::Answer{"load|1|900.0|170.0|1.0|1.0", "step {i}|1|800.0|170.0|1.0|1.0",
                           "step {i}/NCCL:ncclAllReduce|1|20.0|0.0|0.0|0.0"}));
}

TEST_P(Versions, AllocationsCountersAndTheDeviceAreTold) {
  MadeRocpd file = made();
  const LoadedRocpd loaded = read(file.process(kOne, 20));
  const Report& report = loaded.report();
  EXPECT_TRUE(equals(report.allocations->bytes.view(), {1024, -1024})) << "the size of what is freed";
  EXPECT_TRUE(equals(report.counters->value.view(), {42.0})) << "both instances of the counter";
  EXPECT_EQ(report.string(report.counters->name[0]), "SQ_WAVES");
  EXPECT_EQ(report.kernels->profiled[0], 0);
  const DeviceTable& devices = *report.devices;
  ASSERT_EQ(devices.rows, 1U);
  EXPECT_EQ(devices.name[0].view(), "AMD Instinct MI300X");
  EXPECT_EQ(devices.sm_count[0], 304);
  EXPECT_EQ(devices.max_threads_per_sm[0], 2048);
  EXPECT_EQ(devices.max_shared_per_sm[0], 65536);
  EXPECT_EQ(devices.memory_bandwidth[0], 5324800000000) << "four bits a pin: 5.3 TB/s";
  EXPECT_EQ(devices.total_memory[0], 206141652992);
}

TEST_P(Versions, ProcessesOfAMergedFileAreKeptApart) {
  MadeRocpd file = made();
  const LoadedRocpd loaded = read(file.process(kOne, 20).process(kTwo, 21, 10000).views());
  EXPECT_TRUE(is_empty(loaded.issues()));
  const Report& report = loaded.report();
  ASSERT_EQ(report.kernels->rows, 2U) << "views show one process alone";
  EXPECT_TRUE(equals(report.kernels->start.view(), {250, 10250}));
  EXPECT_TRUE(equals(report.kernels->process.view(), {0, 1}));
  for (std::size_t row = 0; row < 2; ++row) {
    const auto call = static_cast<std::size_t>(report.kernels->call[row]);
    EXPECT_EQ(report.calls->start[call], row == 0 ? 200 : 10200) << "the process's own call of the same number";
  }
  EXPECT_EQ(report.devices->rows, 1U) << "both name the same GPU of the same node";
  EXPECT_TRUE(equals(report.processes->id.view(), {20, 21}));
}

/// Values of the first column of a statement.
std::vector<std::string> asked(const std::filesystem::path& file, const std::string& sql) {
  const auto db = sqlite::open_immutable(file);
  if (!db) throw std::runtime_error(db.error().sentence);
  std::vector<std::string> values;
  sqlite::Statement rows(db->get(), sql);
  while (rows.step()) values.emplace_back(rows.text(0));
  return values;
}

TEST_P(Versions, EveryPublishedTableIsThereAndFilled) {
  MadeRocpd file = made();
  const auto path = file.process(kOne, 20).write();
  std::size_t tables = 0;
  for (const PublishedTable& table : published_tables(std::get<0>(GetParam()))) {
    ++tables;
    EXPECT_TRUE(equals(asked(path, "SELECT count(*) > 0 FROM \"rocpd_" + table.word + kOne + "\""), {"1"}))
        << table.word;
  }
  EXPECT_GE(tables, 20U);
  EXPECT_TRUE(
      equals(asked(path, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'rocpd%'"), {std::to_string(tables)}));
}

TEST_P(Versions, AreUnknownIfNull) {
  MadeRocpd file = made();
  file.process(kOne, 20);
  for (const PublishedTable& table : published_tables(std::get<0>(GetParam()))) {
    // Without what the work is called and where it ran; times and sizes are never NULL.
    const bool symbols = table.word == "info_kernel_symbol", agents = table.word == "info_agent";
    if (!symbols && !agents && table.word != "kernel_dispatch" && table.word != "memory_copy") continue;
    std::string sets;
    for (const std::string& name :
         asked(file.write(), "SELECT name FROM pragma_table_info('rocpd_" + table.word + kOne +
                                 "') WHERE NOT \"notnull\" AND name NOT IN ('kernel_name', 'type', 'name')"))
      sets += (sets.empty() ? "\"" : ", \"") + name + "\" = NULL";
    file.add("UPDATE \"rocpd_" + table.word + kOne + "\" SET " + sets + ";");
  }
  const LoadedRocpd loaded = read(file);
  const Report& report = loaded.report();
  const KernelTable& k = *report.kernels;
  ASSERT_EQ(k.rows, 1U);
  EXPECT_EQ(k.end[0] - k.start[0], 100);
  EXPECT_EQ(report.string(k.name[0]), "_Z4gemmIfEvi") << "without another name, as the linker has it";
  EXPECT_EQ(k.grid_x[0], 4);
  for (const std::int32_t value : {k.registers[0], k.static_shared[0], k.dynamic_shared[0], k.executed_shared[0]})
    EXPECT_EQ(value, kNone);
  EXPECT_EQ(k.call[0], kNone) << "no event says what launched it";
  ASSERT_EQ(report.copies->rows, 1U);
  EXPECT_EQ(report.copies->bytes[0], 4096);
  EXPECT_EQ(report.copies->direction[0], CopyDirection::kHostToDevice) << "by the name";
  EXPECT_EQ(report.devices->name[0].view(), "gfx942");
  // Numbers of the GPU, names, events of both; and the GPU of the copy, which a track says since schema 4.
  EXPECT_TRUE(size_is(loaded.issues(), std::string_view(std::get<0>(GetParam())).starts_with("3.") ? 5 : 4));
}

std::string name_of(const ::testing::TestParamInfo<Versions::ParamType>& info) {
  std::string name = "v" + std::string(std::get<0>(info.param));
  std::replace(name.begin(), name.end(), '.', '_');
  return name + (std::get<1>(info.param) == Reader::kDirect ? "_direct" : "_sqlite");
}
INSTANTIATE_TEST_SUITE_P(All, Versions,
                         ::testing::Combine(::testing::ValuesIn(kRocpdVersions),
                                            ::testing::Values(Reader::kDirect, Reader::kSqlite)),
                         name_of);

}  // namespace assay::versions_test
