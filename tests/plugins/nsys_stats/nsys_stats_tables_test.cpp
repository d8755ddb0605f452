// Reports of tables that no real export at hand has with rows (MPI, OpenACC, OpenMP, page faults of unified memory),
// and what exports do that few do. The exports are made by hand after the documented schema; the expected tables follow
// from the documented definitions, not from what nsys printed.
#include "load/made_export.hpp"
#include "nsys_stats_csv.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay::nsys_stats_tables_test {

using under_test::nsys_stats::descriptor;

using namespace testing;

std::string csv_of(MadeExport& made, const std::string& report, Counting counting = Counting::kExact) {
  return csv(RealReport(descriptor, made.write(), "", "").report(), report, counting);
}

const std::string kThread = std::to_string(tid(5, 6));
const std::string kProcess = std::to_string(pid(5));

std::string row(const std::string& table, const std::string& values) {
  return "INSERT INTO " + table + " VALUES(" + values + ");";
}

TEST(NsysStatsTables, CallsOfTheOperatingSystemWithoutThoseThatSayTracingBegan) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'read'),(21,'poll'),(22,'profiling started');");
  made.add("CREATE TABLE OSRT_API(start INT, end INT, eventClass INT, globalTid INT, nameId INT);");
  for (const char* values : {"10,40,27,", "50,60,27,"}) made.add(row("OSRT_API", values + kThread + ",20"));
  made.add(row("OSRT_API", "0,200,27," + kThread + ",21")).add(row("OSRT_API", "0,0,31," + kThread + ",22"));
  EXPECT_EQ(csv_of(made, "osrt_sum"),
            "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "83.3,200,1,200.0,200.0,200,200,0.0,poll\n"
            "16.7,40,2,20.0,20.0,10,30,14.1,read\n\n");
}

MadeExport& mpi(MadeExport& made) {
  made.add("INSERT INTO StringIds VALUES(20,'MPI_Init'),(21,'MPI_Send'),(22,'MPI_Bcast');");
  made.add("CREATE TABLE MPI_RANKS(globalTid INT, rank INT);").add(row("MPI_RANKS", kThread + ",3"));
  made.add("CREATE TABLE MPI_OTHER_EVENTS(start INT, end INT, globalTid INT, textId INT);");
  made.add(
      "CREATE TABLE MPI_P2P_EVENTS(start INT, end INT, globalTid INT, textId INT, commHandle INT, tag INT,"
      " remoteRank INT, size INT);");
  made.add(
      "CREATE TABLE MPI_COLLECTIVES_EVENTS(start INT, end INT, globalTid INT, textId INT, commHandle INT,"
      " rootRank INT, size INT, recvSize INT);");
  made.add(row("MPI_COLLECTIVES_EVENTS", "200,260," + kThread + ",22,1,0,1000,0"));
  made.add(row("MPI_P2P_EVENTS", "100,150," + kThread + ",21,1,7,1,2000000"));
  made.add(row("MPI_OTHER_EVENTS", "0,50," + kThread + ",20"));
  return made;
}

TEST(NsysStatsTables, MpiEventsByKindAndName) {
  MadeExport made;
  EXPECT_EQ(csv_of(mpi(made), "mpi_event_sum"),
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Source,Name\n"
            "37.5,60,1,60.0,60.0,60,60,0.0,collectives,MPI_Bcast\n"
            "31.3,50,1,50.0,50.0,50,50,0.0,other,MPI_Init\n"
            "31.3,50,1,50.0,50.0,50,50,0.0,p2p,MPI_Send\n\n");
}

TEST(NsysStatsTables, MpiEventsSayWhatTheirOwnTableKnows) {
  MadeExport made;
  const RealReport real(descriptor, mpi(made).write(), "", "");
  const std::string expected =
      "Start (ns),End (ns),Duration (ns),Event,Pid,Tid,Tag,Rank,PeerRank,RootRank,Size (MB),CollSendSize (MB),"
      "CollRecvSize (MB)\n"
      "0,50,50,MPI_Init,5,6,,3,,,,,\n"
      "100,150,50,MPI_Send,5,6,7,3,1,,2.000,,\n"
      "200,260,60,MPI_Bcast,5,6,,3,,0,,0.001,0.000\n\n";
  EXPECT_EQ(csv(real.report(), "mpi_event_trace"), expected);
  EXPECT_EQ(streamed_csv(real.report(), "mpi_event_trace"), expected);
}

TEST(NsysStatsTables, OpenAccEventsOfAllItsTables) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'Enqueue Upload'),(21,'Enqueue Launch');");
  for (const char* kind : {"DATA", "LAUNCH"}) {
    made.add(std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_") + kind +
             "(start INT, end INT, nameId INT, globalTid INT);");
  }
  made.add(row("CUPTI_ACTIVITY_KIND_OPENACC_DATA", "10,20,20," + kThread));
  made.add(row("CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", "30,60,21," + kThread));
  EXPECT_EQ(csv_of(made, "openacc_sum"),
            "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "75.0,30,1,30.0,30.0,30,30,0.0,Enqueue Launch\n"
            "25.0,10,1,10.0,10.0,10,10,0.0,Enqueue Upload\n\n");
}

TEST(NsysStatsTables, OpenMpEventsOfOneNameInTwoTablesStandApart) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'Wait');");
  for (const char* kind : {"SYNC_REGION_WAIT", "MUTEX_WAIT"}) {
    made.add(std::string("CREATE TABLE OPENMP_EVENT_KIND_") + kind +
             "(start INT, end INT, globalTid INT, nameId INT);");
  }
  made.add(row("OPENMP_EVENT_KIND_SYNC_REGION_WAIT", "0,30," + kThread + ",20"));
  made.add(row("OPENMP_EVENT_KIND_MUTEX_WAIT", "40,50," + kThread + ",20"));
  EXPECT_EQ(csv_of(made, "openmp_sum"),
            "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "75.0,30,1,30.0,30.0,30,30,0.0,Wait\n"
            "25.0,10,1,10.0,10.0,10,10,0.0,Wait\n\n");
}

TEST(NsysStatsTables, OpenMpEventsOfAllItsTables) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'Parallel'),(21,'Task');");
  for (const char* kind : {"PARALLEL", "TASK", "THREAD"}) {
    made.add(std::string("CREATE TABLE OPENMP_EVENT_KIND_") + kind +
             "(start INT, end INT, globalTid INT, nameId INT);");
  }
  made.add(row("OPENMP_EVENT_KIND_PARALLEL", "0,40," + kThread + ",20"));
  for (const char* times : {"10,20,", "20,30,"}) made.add(row("OPENMP_EVENT_KIND_TASK", times + kThread + ",21"));
  EXPECT_EQ(csv_of(made, "openmp_sum"),
            "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "66.7,40,1,40.0,40.0,40,40,0.0,Parallel\n"
            "33.3,20,2,10.0,10.0,10,10,0.0,Task\n\n");
}

/// Pages 0x1000 (moved to the device twice, two faults of the CPU), 0x2000 (moved to the host, four faults of the GPU)
/// and 0x3000 (a fault of the CPU at an instruction that is not known).
MadeExport& unified_memory(MadeExport& made) {
  made.add("INSERT INTO StringIds VALUES(20,'main'),(21,'?');");
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, streamId INT, correlationId INT,"
      " globalPid INT, bytes INT, copyKind INT, virtualAddress INT);");
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "100,110,0,0,0," + kProcess + ",65536,11,4096"));
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "120,140,0,0,0," + kProcess + ",4096,11,4096"));
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "150,155,0,0,0," + kProcess + ",4096,12,8192"));
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "160,165,0,0,0," + kProcess + ",999,1,NULL"));
  made.add(
      "CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS(start INT, globalPid INT, address INT, originalFaultPc INT,"
      " CpuInstruction INT, module INT, unresolvedFaultPc INT);");
  for (const char* start : {"10,", "20,"})
    made.add(row("CUDA_UM_CPU_PAGE_FAULT_EVENTS", start + kProcess + ",4096,1,20,20,NULL"));
  made.add(row("CUDA_UM_CPU_PAGE_FAULT_EVENTS", "30," + kProcess + ",12288,2748,21,21,1"));
  made.add(
      "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS(start INT, end INT, globalPid INT, deviceId INT, address INT,"
      " numberOfPageFaults INT, faultAccessType INT);");
  return made.add(row("CUDA_UM_GPU_PAGE_FAULT_EVENTS", "40,41," + kProcess + ",0,8192,4,1"));
}

TEST(NsysStatsTables, PageFaultsOfTheCpuByInstructionAndByItsAddressOnlyWhenCorrected) {
  MadeExport made;
  unified_memory(made).add(row("CUDA_UM_CPU_PAGE_FAULT_EVENTS", "40," + kProcess + ",12288,2749,99,99,1"));
  EXPECT_EQ(csv_of(made, "um_cpu_page_faults_sum"), "CPU Page Faults,CPU Instruction Address\n2,main\n1,\n1,?\n\n");
  EXPECT_EQ(csv_of(made, "um_cpu_page_faults_sum", Counting::kCorrected),
            "CPU Page Faults,CPU Instruction Address\n2,main\n1,0xABC\n1,0xABD\n\n");
}

TEST(NsysStatsTables, UnifiedMemoryByAddress) {
  MadeExport made;
  const std::string heading =
      "Virtual Address,HtoD Migration size (MB),DtoH Migration size (MB),CPU Page Faults, GPU Page Faults,"
      "Migration Throughput (MB/s)\n";
  unified_memory(made);
  EXPECT_EQ(csv_of(made, "um_sum"), heading +
                                        "0x1000,0.070,,2,,2321066.643\n"
                                        "0x2000,,0.004,,4,819200.000\n"
                                        "0x3000,,,1,,\n\n");
  EXPECT_EQ(csv_of(made, "um_sum:rows=1"), heading + "0x1000,0.070,,2,,2321066.643\n\n");
}

TEST(NsysStatsTables, UnifiedMemoryAltogether) {
  MadeExport made;
  EXPECT_EQ(csv_of(unified_memory(made), "um_total_sum"),
            "Total HtoD Migration Size (MB),Total DtoH Migration Size (MB),Total CPU Page Faults,Total GPU PageFaults,"
            "Minimum Virtual Address,Maximum Virtual Address\n"
            "0.070,0.004,3,4,0x1000,0x3000\n\n");
}

/// Lines of a CSV but for the empty one at its end, sorted: of equal keys nsys leaves the order to SQLite.
std::vector<std::string> lines_of(const std::string& csv) {
  std::istringstream in(csv);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(NsysStatsTables, AHandmadeExportOfEveryTableIsWhatTheScriptsOfNsysMakeOfIt) {
  const std::filesystem::path folder = ASSAY_SOURCE_DIR "/tests/plugins/nsys_stats/handmade";
  const TempFolder scratch;
  const std::filesystem::path file = scratch.path() / "handmade.sqlite";
  run_sql(file, read_text(folder / "export.sql"));
  const RealReport real(descriptor, file, "", "");
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const std::string name = entry.path().stem().string();
    const std::string made = name.ends_with("_trace") ? streamed_csv(real.report(), name) : csv(real.report(), name);
    EXPECT_EQ(lines_of(made), lines_of(read_text(entry.path()))) << name;
    ++compared;
  }
  EXPECT_GE(compared, 28U);
  EXPECT_TRUE(contains(csv(real.report(), "nvtx_gpu_proj_sum", Counting::kCorrected), "0.0,5,5.0,0.0,2.0\n"))
      << "each node of the graph is a piece of work";
}

/// A call in a start/end range inside two push/pop ranges of a named domain, and one outside of all but the outermost.
TEST(NsysStatsTables, KernelsAreNamedByTheRangeThatBeganLastWithoutItsDomain) {
  MadeExport made;
  made.with_calls().with_kernels().with_ranges();
  made.range(0, 100, "outer", tid(5, 6)).range(10, 40, "inner", tid(5, 6));
  made.add("INSERT INTO NVTX_EVENTS(start,end,eventType,text,globalTid,domainId) VALUES(15,30,60,'span'," + kThread +
           ",1),(0,NULL,75,'domain'," + kThread + ",1),(0,NULL,75,''," + kThread + ",0);");
  made.call(16, 20, tid(5, 6), 1).kernel(200, 210, pid(5), 1);
  made.call(32, 38, tid(5, 6), 2).kernel(220, 240, pid(5), 2);
  made.call(50, 60, tid(5, 6), 3).kernel(250, 280, pid(5), 3);
  made.call(99, 101, tid(5, 6), 4).kernel(300, 340, pid(5), 4);
  const std::string table = csv_of(made, "cuda_gpu_kern_sum:nvtx-name");
  for (const char* name : {",span/kernel_a\n", ",inner/kernel_a\n", ",outer/kernel_a\n", ",kernel_a\n"})
    EXPECT_TRUE(contains(table, name));
}

TEST(NsysStatsTables, NamesWithRangesAreRefusedWhereThereAreNone) {
  MadeExport made;
  made.with_calls().with_kernels().call(10, 20, tid(5, 6), 1).kernel(30, 40, pid(5), 1);
  EXPECT_TRUE(contains(csv_of(made, "cuda_gpu_kern_sum:nvtx-name"), "has no table NVTX_EVENTS"));
}

/// One call, listed a second time under another name, and its kernel.
MadeExport& listed_twice(MadeExport& made) {
  made.add("INSERT INTO StringIds VALUES(20,'cudaLaunchKernel');");
  made.with_calls().with_kernels();
  made.call(10, 20, tid(5, 6), 1).call(8, 24, tid(5, 6), 1, 20, 67);
  return made.kernel(30, 40, pid(5), 1);
}

TEST(NsysStatsTables, CallsListedTwiceCountTwiceUnlessCorrected) {
  MadeExport made;
  const std::string heading =
      "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n";
  listed_twice(made);
  EXPECT_EQ(csv_of(made, "cuda_api_sum"), heading +
                                              "61.5,16,1,16.0,16.0,16,16,0.0,cudaLaunchKernel\n"
                                              "38.5,10,1,10.0,10.0,10,10,0.0,cudaLaunchKernel\n\n");
  EXPECT_EQ(csv_of(made, "cuda_api_sum", Counting::kCorrected),
            heading + "100.0,10,1,10.0,10.0,10,10,0.0,cudaLaunchKernel\n\n");
  EXPECT_TRUE(contains(csv_of(made, "cuda_kern_exec_sum"), "\n5,6,0,2,2,"));
  EXPECT_TRUE(contains(csv_of(made, "cuda_kern_exec_sum", Counting::kCorrected), "\n5,6,0,1,1,"));
}

TEST(NsysStatsTables, ACallListedTwiceIsOnePieceOfWorkToARange) {
  MadeExport made;
  listed_twice(made).with_ranges().range(0, 100, "step", tid(5, 6));
  EXPECT_TRUE(contains(csv_of(made, "nvtx_gpu_proj_trace"), "\nstep,30,10,0,100,PushPop,5,6,1,0,0,1,,:1\n"));
  EXPECT_TRUE(contains(csv_of(made, "nvtx_kern_sum"), "\nstep,PushPop,5,6,1,1,20,10.0,"));
}

TEST(NsysStatsTables, RangeIdsAreExportRowsInBothReaders) {
  MadeExport made;
  made.with_ranges().range(0, 5, "gone", tid(5, 6)).range(10, 90, "outer", tid(5, 6)).range(20, 40, "inner", tid(5, 6));
  made.add("DELETE FROM NVTX_EVENTS WHERE rowid = 1;");
  const std::filesystem::path file = made.write();
  for (const Reader reader : {Reader::kDirect, Reader::kSqlite}) {
    const Result<Profile> profile =
        require(load_profile({file, kind::kNsys}, "made", {col::ranges, col::range_row_id}, 1, reader));
    const Result<Profile::View> view = profile->view({}, {});
    EXPECT_EQ(csv(view->report(), "nvtx_pushpop_trace"),
              "Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Lvl,NumChild,RangeId,"
              "ParentId,RangeStack,NameTree\n"
              "10,90,80,20,60,outer,5,6,0,1,2,,:2,outer\n"
              "20,40,20,0,20,inner,5,6,1,0,3,2,:2:3,--inner\n\n");
  }
}

TEST(NsysStatsTables, ThreadsAreNamedByTheFirstOfTheirNames) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'main'),(21,'later');");
  made.with_calls().call(10, 20, tid(5, 6), 1).call(30, 35, tid(5, 7), 2);
  made.add("CREATE TABLE ThreadNames(nameId INT, priority INT, globalTid INT);");
  made.add(row("ThreadNames", "20,20," + kThread)).add(row("ThreadNames", "21,10," + kThread));
  EXPECT_EQ(csv_of(made, "cuda_api_trace"),
            "Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name\n"
            "10,10,cudaLaunchKernel,0,1,5,6,20,main\n"
            "30,5,cudaLaunchKernel,0,2,5,7,,\n\n");
}

TEST(NsysStatsTables, RejectWhatNsysRejectsUnlessCorrected) {
  MadeExport made;
  made.with_calls().call(10, 20, tid(5, 6), 1);
  EXPECT_TRUE(contains(csv_of(made, "cuda_api_trace"), "no table ThreadNames"));
  EXPECT_TRUE(contains(csv_of(made, "cuda_api_trace", Counting::kCorrected), "\n10,10,cudaLaunchKernel,0,1,5,6,,\n"));
}

/// Two copies by a call that waits and one by a call that does not; from pageable memory, of 64 KB and more.
MadeExport& copies(MadeExport& made) {
  made.add("INSERT INTO StringIds VALUES(20,'cudaMemcpy_v3020');");
  made.add("CREATE TABLE ENUM_CUDA_MEM_KIND(id INT, name TEXT, label TEXT);");
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);");
  made.with_calls();
  made.call(10, 20, tid(5, 6), 1, 20).call(30, 40, tid(5, 6), 2, 20).call(50, 51, tid(5, 6), 3, 2);
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "11,19,0,1,7,1," + kProcess + ",64000,1,0,2"));
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "31,39,0,1,7,2," + kProcess + ",64001,1,0,2"));
  return made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "60,70,0,1,7,3," + kProcess + ",2000000,2,2,0"));
}

TEST(NsysStatsTables, RulesTellCopiesThatWaitFromThoseThatOnlyLookAsynchronous) {
  MadeExport made;
  const std::string heading =
      "Duration (ns),Start (ns),Src Kind,Dst Kind,Bytes (MB),PID,Device ID,Context ID,Green Context ID,Stream ID,"
      "API Name\n";
  copies(made);
  EXPECT_EQ(csv_of(made, "cuda_memcpy_sync"), heading + "8,31,Pageable,Device,0.064,5,0,1,,7,cudaMemcpy_v3020\n\n");
  made.call(80, 90, tid(5, 6), 4, 20);
  made.add(row("CUPTI_ACTIVITY_KIND_MEMCPY", "81,86,0,1,7,4," + kProcess + ",3000000,8,2,2"));
  EXPECT_TRUE(contains(csv_of(made, "cuda_memcpy_sync"), "\n5,81,Device,Device,3.000,5,0,1,,7,cudaMemcpy_v3020\n"));
  EXPECT_FALSE(contains(csv_of(made, "cuda_memcpy_sync", Counting::kCorrected), "Device,Device"));
  EXPECT_EQ(csv_of(made, "cuda_memcpy_async"),
            heading + "10,60,Device,Pageable,2.000,5,0,1,,7,cudaMemcpyAsync_v3020\n\n");
}

TEST(NsysStatsTables, OnlySetsOfMemoryThatTheHostReachesWait) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'cudaMemset_v3020'),(21,'cudaMemsetAsync_v3020');");
  made.add("CREATE TABLE ENUM_CUDA_MEM_KIND(id INT, name TEXT, label TEXT);");
  made.add(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, contextId INT, streamId INT,"
      " correlationId INT, globalPid INT, value INT, bytes INT, memKind INT);");
  made.with_calls();
  const auto set = [&](int id, int kind, int name) {
    made.call(100 * id, 100 * id + 10, tid(5, 6), id, name);
    const std::string start = std::to_string(100 * id + 20), end = std::to_string(100 * id + 20 + id);
    made.add(row("CUPTI_ACTIVITY_KIND_MEMSET", start + "," + end + ",0,1,7," + std::to_string(id) + "," + kProcess +
                                                   ",0,2000000," + std::to_string(kind)));
  };
  set(1, 1, 20);
  set(2, 2, 20);
  set(3, 4, 20);
  set(4, 1, 21);  // pinned, device, managed; pinned without waiting
  EXPECT_EQ(csv_of(made, "cuda_memset_sync"),
            "Duration (ns),Start (ns),Memory Kind,Bytes (MB),PID,Device ID,Context ID,Green Context ID,Stream ID,"
            "API Name\n"
            "3,320,Managed,2.000,5,0,1,,7,cudaMemset_v3020\n"
            "1,120,Pinned,2.000,5,0,1,,7,cudaMemset_v3020\n\n");
}

TEST(NsysStatsTables, TablesOfMpiAndOpenAccThatFewExportsHave) {
  MadeExport made;
  made.add("INSERT INTO StringIds VALUES(20,'MPI_Wait'),(21,'Compute Construct');");
  made.add("CREATE TABLE MPI_START_WAIT_EVENTS(start INT, end INT, globalTid INT, textId INT, requestHandle INT);");
  made.add(row("MPI_START_WAIT_EVENTS", "10,40," + kThread + ",20,1"));
  made.add("CREATE TABLE CUPTI_ACTIVITY_KIND_OPENACC_OTHER(start INT, end INT, nameId INT, globalTid INT);");
  made.add(row("CUPTI_ACTIVITY_KIND_OPENACC_OTHER", "10,20,21," + kThread));
  EXPECT_TRUE(contains(csv_of(made, "mpi_event_sum"), "\n100.0,30,1,30.0,30.0,30,30,0.0,start-wait,MPI_Wait\n"));
  EXPECT_TRUE(contains(csv_of(made, "mpi_event_trace"), "\n10,40,30,MPI_Wait,5,6,,,,,,,\n"));
  EXPECT_TRUE(contains(csv_of(made, "openacc_sum"), "\n100.0,10,1,10.0,10.0,10,10,0.0,Compute Construct\n"));
}

}  // namespace assay::nsys_stats_tables_test
