#include "catalog/foreign.hpp"

#include "catalog/catalog.hpp"
#include "support/sql.hpp"
#include "support/test.hpp"
#include "torch/made_trace.hpp"

namespace assay::foreign_test {

std::string tar() { return std::string(257, 'a') + "ustar  "; }

/// `bytes`: of a database, tables as "sql:CREATE TABLE ...".
struct MadeFile {
  const char* is;
  const char* name;
  std::string bytes;
};

const std::string kUtf16("\xFF\xFE{\0\"\0", 6), kUtf16BigEndian("\xFE\xFF\0{\0\"", 6);

/// A beginning as each tool writes it.
const std::vector<MadeFile> kFiles = {
    {"a profile of nvprof (Nsight Systems replaced it)", "a.nvvp", "sql:CREATE TABLE StringTable (x)"},
    {"a source page of Nsight Compute as CSV", "sass.csv",
     "\"Kernel Name\",\"k\"\n\"#\",\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\"\n"},
    {"the text of a source page of Nsight Compute, without counters", "source.csv",
     "\"File Name\",\"a.py\"\n\"Line No\",\"Source\"\n\"1\",\"x\"\n"},
    {"a source page of Nsight Compute, separated by semicolons", "semicolons.csv",
     "#;Address;Source;Warp Stall Sampling (All Samples)\n"},
    {"a trace of rocmProfileData (RPD)", "a.rpd", "sql:CREATE TABLE rocpd_op (x)"},
    {"a database of rocprof-compute", "a.db", "sql:CREATE TABLE compute_workload (x)"},
    {"a trace of JAX or TensorFlow", "host.trace.json",
     R"({"traceEvents": [{"ph": "M", "name": "process_name", "args": {"name": "/device:GPU:0"}}]})"},
    {"a trace of JAX or TensorFlow", "a.json",
     R"({"traceEvents": [{"ph": "M", "name": "process_name", "args": {"name": "/device:GPU:0"}}]})"},
    {"a trace of JAX or TensorFlow", "b.json",
     R"({"traceEvents": [{"ph": "M", "name": "process_name", "args": {"name": "/host:CPU"}}]})"},
    {"a table of times that trtexec exports (--exportTimes)", "yolo_times.json",
     R"([{"startEnqMs": 0.0, "endEnqMs": 0.1, "startComputeMs": 0.2, "endComputeMs": 1.5, "latencyMs": 1.6}])"},
    {"a table of layers that trtexec exports (--exportProfile)", "yolo_profile.json",
     R"([{"count": 300}, {"name": "conv1", "timeMs": 90.1, "averageMs": 0.3, "percentage": 41.2}])"},
    {"a profile of ONNX Runtime", "onnxruntime_profile__2024.json",
     R"([{"cat" : "Session","pid" :1,"tid" :1,"dur" :9,"ts" :0,"ph" : "X","name" :"session_initialization","args" : {}}])"},
    {"a profile of ONNX Runtime", "onnxruntime.json",
     R"([{"cat" : "Session","pid" :1,"tid" :1,"dur" :9,"ts" :0,"ph" : "X","name" :"model_loading_uri","args" : {}}])"},
    {"a trace of VizTracer", "result.json",
     R"({"traceEvents": [{"ph": "X", "cat": "FEE", "name": "f a.py:3", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]})"},
    {"a profile of py-spy", "pyspy.json",
     R"([{"args": {"filename": "a.py", "line": 3}, "cat": "py-spy", "name": "f", "ph": "B", "pid": 1, "tid": 1, "ts": 0}])"},
    {"a profile for speedscope", "a.speedscope.json",
     R"({"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": []})"},
    {"a timeline of Ray", "timeline.json",
     R"([{"cat": "task::f", "name": "f", "ph": "X", "ts": 1, "dur": 2, "args": {"task_id": "16310a0f", "job_id": "01"}}])"},
    {"a trace of Chrome itself", "chrome.json",
     R"({"traceEvents": [{"args": {"name": "CrBrowserMain"}, "cat": "__metadata", "name": "thread_name", "ph": "M"}]})"},
    {"an execution trace of PyTorch (Chakra, without times of a GPU)", "et.json",
     R"({"schema": "1.1.1-chakra.0.0.4", "pid": 7, "time": "2024", "nodes": [{"id": 1, "name": "aten::mm"}]})"},
    {"a trace in Perfetto's own format", "a.pftrace", "\x0A\x28\x08\x01"},
    {"a file of events of TensorBoard", "events.out.tfevents.1700000000.host",
     std::string("\x18\0\0\0", 4) + "....brain.Event:2"},
    {"a memory timeline of PyTorch", "memory_timeline.raw.gz", gzipped("[[-1, 1, 512, 7]]")},
    {"a database of rocprof (rocprofv3 replaced it)", "results.db", "sql:CREATE TABLE KERN (x); CREATE TABLE HIP (x)"},
    {"a table of kernels of rocprof (rocprofv3 replaced it)", "results.csv",
     "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\"\n0,\"k\",0,0\n"},
    {"a summary of rocprof or rocprofv3, sums alone", "kernel_stats.csv",
     "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"k\",3,30,10,100\n"},
    {"a table of rocprofv3", "kernel_trace.csv",
     "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n"},
    {"a database of DLProf (Nsight Systems replaced it)", "dlprof_dldb.sqlite", "sql:CREATE TABLE dlprof_version (x)"},
    {"a database of MLflow (metrics, no profile)", "mlflow.db",
     "sql:CREATE TABLE runs (x); CREATE TABLE metrics (x); CREATE TABLE params (x)"},
    {"a table of 'nsys stats'", "cuda_gpu_kern_sum.csv",
     "Time (%),Total Time (ns),Instances,Avg (ns),Name\n64,9,3,3,k\n"},
    {"a table of 'nsys stats'", "cuda_gpu_trace.csv", "Start (ns),Duration (ns),CorrId,GrdX,Name\n1,2,3,4,k\n"},
    {"a table that key_averages() of PyTorch printed", "averages.txt",
     "-----------  ------------\n       Name    Self CPU %      Self CPU\n   aten::mm         10.0%       1.000ms\n"},
    {"a report of PyTorch Lightning's profiler", "fit-profiler.txt",
     "FIT Profiler Report\n|  Action  |  Mean duration (s)  |  Num calls  |\n"},
    {"a table of nccl-tests", "all_reduce.txt", "#       size  count  type  redop  root  time  algbw   busbw #wrong\n"},
    {"a table that rocm-smi printed", "smi.txt", "====== ROCm System Management Interface ======\n"},
    {"a table of samples of dcgmi", "dcgm.txt", "#Entity   POWER\nID          W\nGPU 0     71.2\n"},
    {"compressed with lz4", "a.sqlite.lz4", "\x04\x22\x4D\x18"},
    {"a 7z archive", "a.sqlite.7z", "7z\xBC\xAF\x27\x1C"},
    {"text in UTF-16 inside of gzip", "a.json.gz", gzipped(kUtf16)},
    {"text in UTF-16 inside of gzip", "b.json.gz", gzipped(kUtf16BigEndian)},
    {"a timeline of TensorFlow", "timeline_3.json",
     R"({"traceEvents": [{"ph": "M", "name": "process_name", "args": {"name": "/job:localhost/task:0"}}]})"},
    {"a trace of Ascend's profiler (torch_npu)", "ascend.json",
     R"({"traceEvents": [{"ph": "M", "name": "process_name", "args": {"name": "Ascend Hardware"}}]})"},
    {"a profile of Triton's Proton", "proton.hatchet",
     R"([{"children": [], "frame": {"name": "ROOT", "type": "function"}, "metrics": {"count": 0}}])"},
    {"a trace of Triton's Proton", "proton.json", R"({"traceEvents": [{"ph": "X", "cat": "triton", "name": "k"}]})"},
    {"a JSON export of Nsight Systems", "a.json", "{\"Type\": 48, \"CudaEvent\": {\"startNs\": \"1\"}}"},
    {"a JSON export of Nsight Systems", "b.json", "{\"Type\": 59, \"GlobalPid\": \"7\"}"},
    {"an Arrow file, as 'nsys export' writes them", "a.arrow", "ARROW1"},
    {"an Arrow stream, as 'nsys export' writes them", "b.arrows", "\xFF\xFF\xFF\xFF"},
    {"a Parquet file, as 'nsys export' writes them", "a.parquet", "PAR1"},
    {"an HDF5 file, as 'nsys export' writes them", "a.h5", "\x89HDF\r\n\x1A\n"},
    {"a workbook of Excel", "a.xlsx", "PK\x03\x04....xl/workbook.xml"},
    {"a checkpoint of PyTorch (weights, no profile)", "model.pt", "PK\x03\x04....archive/data.pkl"},
    {"a table of nvprof (Nsight Systems replaced it)", "nvprof.csv",
     "==71== NVPROF is profiling process 71, command: a\n"},
    {"a zip archive", "a.zip", "PK\x03\x04"},
    {"compressed with gzip", "a.sqlite.gz", gzipped("SQLite format 3")},
    {"compressed with xz", "a.sqlite.xz",
     std::string("\xFD"
                 "7zXZ\0",
                 6)},
    {"compressed with zstd", "a.sqlite.zst", "\x28\xB5\x2F\xFD"},
    {"compressed with bzip2", "a.sqlite.bz2", "BZh9"},
    {"a tar archive", "a.tar", tar()},
    {"gzip inside of gzip", "a.json.gz", gzipped(gzipped("{}"))},
    {"a tar archive", "a.tgz", gzipped(tar())},
    {"text in UTF-16", "a.csv", kUtf16},
    {"text in UTF-16", "b.csv", kUtf16BigEndian},
    {"a table of power samples", "gpu.csv", "timestamp, power.draw [W]\n1, 70\n"},
    {"a table (.csv) and no profile", "sweep.csv", "batch,latency_ms\n1,0.19\n"}};

fs::path written(const TempFolder& folder, const MadeFile& made) {
  constexpr std::string_view kSql = "sql:";
  if (!made.bytes.starts_with(kSql)) return folder.write(made.name, made.bytes);
  run_sql(folder / made.name, made.bytes.substr(kSql.size()));
  return folder / made.name;
}

/// How often each name stands in the table.
std::map<std::string, int> names_of_table() {
  std::map<std::string, int> names;
  std::istringstream table(read_text(ASSAY_SOURCE_DIR "/configs/data/foreign_files.toml"));
  constexpr std::string_view kIs = "is = \"";
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with(kIs)) ++names[line.substr(kIs.size(), line.rfind('"') - kIs.size())];
  }
  return names;
}

TEST(ForeignFiles, EachRowOfTheTableNamesItsFile) {
  std::map<std::string, int> left = names_of_table();
  ASSERT_GT(left.size(), 40U);
  for (const MadeFile& made : kFiles) {
    const TempFolder folder;
    const ForeignName name = foreign_file(written(folder, made));
    EXPECT_TRUE(starts_with(name.problem, std::string("This is ") + made.is + ", which is "))
        << made.name << ": " << name.problem;
    EXPECT_TRUE(ends_with(name.remedy, ".")) << made.name;
    --left[made.is];
  }
  for (const auto& [name, count] : left) EXPECT_LE(count, 0) << "no file of its own: " << name;
}

TEST(ForeignFiles, ProfilesOfOtherToolsAreNamedInFolders) {
  const TempFolder folder;
  const auto found = [&](const char* name) { return sniff(folder / name, name); };
  for (const MadeFile& made : kFiles) {
    const std::string_view name = made.name;
    if (!name.ends_with(".txt") || name == "smi.txt" || name == "dcgm.txt") continue;
    written(folder, made);
    EXPECT_EQ(found(made.name).kind, FileKind::kUnreadable) << name;
    EXPECT_TRUE(starts_with(found(made.name).problem, std::string("This is ") + made.is)) << name;
  }
  ASSERT_TRUE(fs::exists(folder / "fit-profiler.txt"));
  folder.write("notes.txt", "batch 8 was slow");
  EXPECT_EQ(found("notes.txt").kind, FileKind::kSidecar);
  // A question may read it as a sheet.
  folder.write("gpu.csv", "timestamp, power.draw [W]");
  EXPECT_EQ(found("gpu.csv").kind, FileKind::kSidecar);
}

TEST(ForeignFiles, WordsAloneNameNothing) {
  const TempFolder folder;
  folder.write("train.log", "measured algbw and busbw of the step");
  folder.write("config.json", R"({"averageMs": 3, "percentage": 4, "batch": 8})");
  folder.write("nodes.json", R"({"schema": "1.0", "nodes": ["a"], "pid": 7})");
  folder.write("writer.py", R"(# writes "traceEvents" with "/device: rows)");
  folder.write("readme.md", "It prints Total Time (ns) and Time (%).");
  for (const char* name : {"train.log", "config.json", "nodes.json", "writer.py", "readme.md"})
    EXPECT_EQ(foreign_file(folder / name).problem, "") << name;
}

}  // namespace assay::foreign_test
