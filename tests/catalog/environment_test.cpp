// What reports say of the machine and the tools that made them.
#include "catalog/catalog.hpp"
#include "config/nsys_database.hpp"
#include "support/test.hpp"

namespace assay::environment_test {

class Environments : public ::testing::Test {
 protected:
  /// Of an export with a kernel on device 0 and what `sql` adds.
  Environment of_export(const std::string& sql) {
    const fs::path file = folder_ / ("a" + std::to_string(++count_) + ".sqlite");
    run_sql(file,
            "CREATE TABLE StringIds (id INTEGER, value TEXT); CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (deviceId "
            "INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0);" +
                sql);
    return sniff(file, "a").environment;
  }
  Environment of_file(const std::string& name, const std::string& text) {
    return sniff(folder_.write(name, text), name).environment;
  }
  TempFolder folder_;
  int count_ = 0;
};

constexpr const char* kGpus =
    "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, clockRate INTEGER, computeMajor INTEGER);";
constexpr const char* kEnv = "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);";

TEST_F(Environments, AnExportNamesDeviceClockDriverCudaAndExporter) {
  EXPECT_TRUE(
      equals(of_export(std::string(kGpus) + kEnv +
                       "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100 80GB HBM3', 1980000000, 9), (1, 'NVIDIA "
                       "H100 80GB HBM3', 1980000000, 9);"
                       "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('NvDriverVersion', '570.172.08'), "
                       "('CudaDriverVersion', '12080'), ('DeviceEnvironment', 'A=1;RANK=3;WORLD_SIZE=8');"
                       "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);"
                       "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.3.2.0');"),
             {{"clock", "1980 MHz"},
              {"cuda", "12.8"},
              {"device", "NVIDIA H100 80GB HBM3"},
              {"driver", "570.172.08"},
              {"profiler", "Nsight Systems 2025.3.2.0"},
              {"rank", "3"},
              {"world_size", "8"}}));
}

TEST_F(Environments, TheRankIsOneOfTheVariablesThatNsysStartedTheProgramWith) {
  const std::string capture = "CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);";
  const auto rows = [&](const std::string& process, const std::string& rank) {
    return "INSERT INTO META_DATA_CAPTURE VALUES ('" + process + ":ENVIRONMENT_VARIABLE', 'RANK=\"" + rank +
           "\"'), ('" + process + ":ENVIRONMENT_VARIABLE', 'WORLD_SIZE=\"2\"'), ('" + process +
           ":ENVIRONMENT_VARIABLE', 'SECRET=\"never copied\"'), ('" + process + ":COMMAND', 'RANK=7');";
  };
  EXPECT_TRUE(equals(of_export(capture + rows("PROCESS_0", "1")),
                     {{"profiler", "Nsight Systems"}, {"program", "RANK=7"}, {"rank", "1"}, {"world_size", "2"}}));
  EXPECT_TRUE(equals(of_export(capture + rows("PROCESS_0", "0") + rows("PROCESS_1", "1")),
                     {{"profiler", "Nsight Systems"}, {"program", "RANK=7"}}))
      << "an export of both is neither";
}

TEST_F(Environments, NsysSaysWhichProgramRanAndWhen) {
  EXPECT_TRUE(
      equals(of_export("CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);"
                       "INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:COMMAND', 'torchrun'),"
                       "('PROCESS_0:ARGUMENT_0', '--token=never copied'), ('PROCESS_0:ARGUMENT_1', '2'),"
                       "('PROCESS_0:ARGUMENT_2', 'train.py'), ('PROCESS_0:ARGUMENT_3', 'never copied');"
                       "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT);"
                       "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1, '2025-08-04T16:29:32');"),
             {{"profiler", "Nsight Systems"}, {"program", "torchrun train.py"}, {"recorded", "2025-08-04 16:29:32"}}));
}

TEST_F(Environments, LackWhatAnExportDoesNotState) {
  EXPECT_TRUE(equals(of_export(""), {{"profiler", "Nsight Systems"}}));
  EXPECT_TRUE(equals(of_export(std::string(kGpus) + kEnv +
                               "INSERT INTO TARGET_INFO_GPU VALUES (0, '', NULL, 9);"
                               "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('NvDriverVersion', NULL), "
                               "('CudaDriverVersion', 'x'), ('DeviceEnvironment', 'RANK=;WORLD_SIZE=8');"),
                     {{"profiler", "Nsight Systems"}}));
}

TEST_F(Environments, OldExportsWriteTheDriverWithoutPoints) {
  const std::string sql = std::string(kEnv) + "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('NvDriverVersion', '";
  EXPECT_TRUE(includes(of_export(sql + "52510517')"), {"driver", "525.105.17"}));
  EXPECT_TRUE(includes(of_export(sql + "5303002')"), {"driver", "530.30.02"}));
}

TEST_F(Environments, NameTheModelsThatRanKernels) {
  const std::string sql =
      std::string(kGpus) +
      "INSERT INTO TARGET_INFO_GPU VALUES (0, 'Intel UHD', 0, 0), (1, 'A', 1000000000, 8), (2, 'B', "
      "2000000000, 9);";
  EXPECT_TRUE(equals(of_export(sql + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 2"),
                     {{"clock", "2000 MHz"}, {"device", "B"}, {"profiler", "Nsight Systems"}}));
  EXPECT_TRUE(includes(of_export(sql + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 1;"
                                       "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2)"),
                       {"device", "A + B"}));
  EXPECT_TRUE(includes(of_export(sql + "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER);"
                                       "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 1), (2, 0)"),
                       {"device", "B"}))
      << "the kernel ran on CUDA's device 0";
}

TEST_F(Environments, HostileTextsAndViewsAreBounded) {
  EXPECT_TRUE(includes(
      of_export(std::string(kGpus) + "INSERT INTO TARGET_INFO_GPU VALUES (0, char(27) || '[31mH' || char(8238), 0, 9)"),
      {"device", "?[31mH???"}));
  EXPECT_FALSE(includes_key(
      of_export("CREATE VIEW TARGET_INFO_SYSTEM_ENV AS WITH RECURSIVE r(name, value) AS (SELECT 'x', 1 UNION "
                "ALL SELECT 'x', value + 1 FROM r) SELECT * FROM r"),
      "driver"))
      << "a view that never ends";
}

TEST_F(Environments, ATraceNamesItsDevicesAndVersions) {
  const std::string head =
      R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132},)"
      R"({"id": 1, "name": "NVIDIA H200"}], "distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 2,)"
      R"("pg_config": [{"name": "x", "rank": 9}]}, "cuda_driver_version": 13000, "cupti_version": 130001,)";
  const std::string events =
      R"("traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 1, "args": {"External id": 1}}]})";
  const auto as_said = [](const auto& environment) {
    return permutes(environment, {{"device", "NVIDIA H200"},
                                  {"cuda", "13.0"},
                                  {"profiler", "PyTorch profiler, CUPTI 130001"},
                                  {"rank", "1"},
                                  {"world_size", "2"}});
  };
  EXPECT_TRUE(as_said(of_file("a.pt.trace.json", head + events)));
  const std::string long_note = R"("note": ")" + std::string(200000, 'x') + "\",";
  EXPECT_TRUE(as_said(
      of_file("b.pt.trace.json", head.substr(0, 1) + R"("traceName": "b",)" + head.substr(1) + long_note + events)));
  EXPECT_TRUE(
      equals(of_file("c.pt.trace.json", "{" + events.substr(0, events.size())), {{"profiler", "PyTorch profiler"}}));
  EXPECT_TRUE(permutes(
      of_file("d.pt.trace.json", R"({"schemaVersion": 1, "deviceProperties": [{"name": "AMD Instinct MI300X"}],)"
                                 R"("hip_driver_version": 70226015, "roctracer_version": 4.1,)" +
                                     events),
      {{"device", "AMD Instinct MI300X"}, {"cuda", "HIP 7.2"}, {"profiler", "PyTorch profiler, roctracer 4.1"}}));
}

TEST_F(Environments, ATraceIsDatedByTimeZeroAndItsFirstEvent) {
  const std::string base = R"("baseTimeNanoseconds": 1790000060000000000)";
  const auto recorded = [&](const std::string& before, const std::string& ts, const std::string& after,
                            int events = 1) {
    std::string text = "{" + before + R"("schemaVersion": 1, "traceEvents": [)";
    for (int i = 0; i < events; ++i)
      text +=
          std::string(i > 0 ? "," : "") + R"({"ph": "X", "cat": "kernel", "name": "k", "ts": )" + ts + R"(, "dur": 1})";
    for (const auto& [name, value] : of_file("t.pt.trace.json", text + "]" + after + "}"))
      if (name == "recorded") return value;
    return std::string("not known");
  };
  EXPECT_EQ(recorded(base + ",", "1.0", ""), "2026-09-21 14:14:20");
  EXPECT_EQ(recorded(base + ",", "4450123456.789", ""), "2026-09-21 15:28:30");
  EXPECT_EQ(recorded("", "61000000.5", ", \"traceName\": \"t\", " + base, 5000), "2026-09-21 14:15:21")
      << "some versions of PyTorch write time 0 at the end";
  EXPECT_EQ(recorded("", "1700000000000000.0", ""), "2023-11-14 22:13:20");
  EXPECT_EQ(recorded(base + ",", "1700000000000000.0", ""), "2023-11-14 22:13:20") << "the event states the epoch";
  EXPECT_EQ(recorded("", "999999999999999", ""), "not known");
  EXPECT_EQ(recorded(R"("baseTimeNanoseconds": "x",)", "1.0", ""), "not known");
  EXPECT_EQ(recorded(R"("baseTimeNanoseconds": 0,)", "1.0", ""), "not known");
  EXPECT_EQ(recorded(base + ",", "\"x\"", ""), "not known");
}

TEST_F(Environments, ARawPageOfNsightComputeNamesItsDevice) {
  const std::string header = "==PROF== Connected\n\"ID\",\"Kernel Name\",\"device__attribute_display_name\",\"a\"\n";
  EXPECT_TRUE(equals(of_file("a.csv", header + "\"\",\"\",\"\",\"ns\"\n\"0\",\"f(int, int)\",\"NVIDIA H200\",\"1\"\n"),
                     {{"device", "NVIDIA H200"}, {"profiler", "Nsight Compute"}}));
  EXPECT_TRUE(equals(of_file("b.csv", "\"ID\",\"Kernel Name\",\"Metric Name\"\n\"0\",\"f\",\"x\"\n"),
                     {{"profiler", "Nsight Compute"}}));
}

TEST_F(Environments, OtherFilesSayNothing) { EXPECT_TRUE(is_empty(of_file("README.md", "device H100"))); }

/// As the tables of the public exports say by themselves (read with sqlite3).
TEST_F(Environments, PublicExports) {
  ASSAY_REAL_FOLDER(data, "public");
  const fs::path nsys = fs::path(data) / "nsys";
  EXPECT_TRUE(includes_all(sniff(nsys / "pipit_saxpy_mpi_a100_oldschema_emptytables.sqlite", "p").environment,
                           {{"device", "NVIDIA A100-SXM4-40GB"}, {"driver", "525.105.17"}, {"cuda", "12.0"}}));
  EXPECT_TRUE(includes_all(
      sniff(nsys / "nsightful_power_iteration_t4_2025.3.sqlite", "n").environment,
      {{"device", "Tesla T4"}, {"driver", "550.54.15"}, {"cuda", "12.4"}, {"profiler", "Nsight Systems 2025.3.1.90"}}));
  {
    const auto all_of_it = sniff(nsys / "nsysai_mfu_2gpu_before_2026.2.sqlite", "m").environment;
    EXPECT_FALSE(includes_key(all_of_it, "device"));
    EXPECT_TRUE(includes(all_of_it, {"driver", "580.95.05"}));
  }
  EXPECT_TRUE(includes(sniff(fs::path(data) / "torch" / "tl_torch_compile_triton.json.gz", "t").environment,
                       {"device", "AMD Instinct MI300X"}));
}

}  // namespace assay::environment_test
