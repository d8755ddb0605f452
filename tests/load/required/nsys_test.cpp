// Every column that is read of an nsys export, damaged in turn.
#include "damaged_tables.hpp"

namespace assay::nsys_test {

/// Tables as nsys writes them, with a few rows each.
MadeExport& filled(MadeExport& made) {
  made.with_calls().with_ranges();
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, demangledName INT, shortName INT, mangledName INT, gridX INT, gridY INT,"
      " gridZ INT, blockX INT, blockY INT, blockZ INT, registersPerThread INT, staticSharedMemory INT,"
      " dynamicSharedMemory INT, sharedMemoryExecuted INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, bytes INT, memKind INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INT, end INT, deviceId INT, streamId INT,"
      " correlationId INT, globalPid INT, graphId INT);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INT, end INT, deviceId INT, streamId INT,"
      " correlationId INT, globalPid INT, syncType INT);"
      "CREATE TABLE PROFILER_OVERHEAD(start INT, end INT, globalTid INT, nameId INT);"
      "CREATE TABLE OSRT_API(start INT, end INT, eventClass INT, globalTid INT, nameId INT);"
      "CREATE TABLE TARGET_INFO_GPU(id INT, name TEXT, smCount INT, computeMajor INT, computeMinor INT,"
      " threadsPerWarp INT, maxWarpsPerSm INT, maxBlocksPerSm INT, maxRegistersPerSm INT, maxShmemPerSm INT,"
      " totalMemory INT, memoryBandwidth INT);"
      "INSERT INTO TARGET_INFO_GPU VALUES(0,'NVIDIA H100',132,9,0,32,64,32,65536,233472,85899345920,3352320000000);");
  constexpr std::int64_t kBegin = 5'000'000'000, kStep = 1'000'000;
  for (std::int64_t i = 0; i < 12; ++i) {
    const std::int64_t at = kBegin + i * kStep;
    const auto ids = [&](int kind) { return std::to_string(5 * i + kind); };
    const auto times = [&](std::int64_t after, std::int64_t length) {
      return "(" + std::to_string(at + after) + "," + std::to_string(at + after + length) + ",0,";
    };
    const std::string process = std::to_string(pid(1));
    for (int kind = 1; kind <= 5; ++kind)
      made.call(at + kind * 20'000 - 10'000, at + kind * 20'000, tid(1, 1), 5 * i + kind,
                kind == 2   ? 2
                : kind == 5 ? 5
                            : 1);
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES" + times(30'000, 500'000) + "1,7," + ids(1) + "," +
             process + ",3,4,6,8,2,1,128,1,1,40,1024,0,8192);");
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES" + times(600'000, 50'000) + "1,7," + ids(2) + "," +
             process + ",4096,1,0,2);");
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES" + times(700'000, 9'000) + "1,7," + ids(3) + "," + process +
             ",512,2);");
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES" + times(800'000, 90'000) + "7," + ids(4) + "," +
             process + ",3);");
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES" + times(95'000, 3'000) + "7," + ids(5) + "," +
             process + ",4);");
    made.add("INSERT INTO PROFILER_OVERHEAD VALUES(" + std::to_string(at) + "," + std::to_string(at + 10) + "," +
             std::to_string(tid(1, 1)) + ",6);");
    made.add("INSERT INTO OSRT_API VALUES(" + std::to_string(at) + "," + std::to_string(at + 10) + ",27," +
             std::to_string(tid(1, 1)) + ",6);");
    made.range(at, at + kStep / 2, "step " + std::to_string(i), tid(1, 1));
  }
  return made;
}

std::vector<DamagedColumn> columns_of(const std::filesystem::path& file) {
  std::vector<DamagedColumn> all;
  for (const std::string& name :
       cells_of(file, "SELECT m.name || '.' || c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c"))
    all.push_back({name.substr(0, name.find('.')), name.substr(name.find('.') + 1)});
  return all;
}

TEST(RequiredColumns, AreKnownForNsys) {
  MadeExport made;
  const auto file = filled(made).write();
  loosen(file);
  const Fingerprint whole = fingerprint(file);
  ASSERT_EQ(whole.issues, std::vector<std::string>());
  // Columns that somebody may ask for: of a report without them analyzers are told that they are absent.
  std::set<std::string> known;
  for (const char* column : {"contextId", "mangledName", "sharedMemoryExecuted", "memKind", "graphId", "returnValue",
                             "eventClass", "domainId", "textId", "endGlobalTid"}) {
    for (const DamagedColumn& at : columns_of(file))
      if (at.column == column) known.insert(at.table + "." + column + " gone");
  }
  expect_no_silence(file, columns_of(file), known);
}

}  // namespace assay::nsys_test
