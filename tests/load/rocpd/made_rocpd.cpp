#include "made_rocpd.hpp"

namespace assay {
namespace {

const char* const kId = "\"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \"guid\" TEXT DEFAULT \"g\" NOT NULL, ";
const char* const kExtra = ", \"extdata\" JSONB DEFAULT \"{}\" NOT NULL";

std::string text(const std::string& value) { return "'" + value + "'"; }

}  // namespace

std::string all_traced() {
  return R"({"RANK":"3","WORLD_SIZE":"8","SECRET_TOKEN":"hunter2","ROCPROF":"rocprofv3",)"
         R"("ROCP_TOOL_LIBRARIES":"/opt/rocm-7.1.1/lib/tool.so","ROCPROF_KERNEL_TRACE":"1",)"
         R"("ROCPROF_MEMORY_COPY_TRACE":"1","ROCPROF_HIP_RUNTIME_API_TRACE":"1","ROCPROF_MARKER_API_TRACE":"1",)"
         R"("ROCPROF_MEMORY_ALLOCATION_TRACE":"1"})";
}

MadeRocpd& MadeRocpd::add(const std::string& sql) {
  sql_ += sql;
  return *this;
}

MadeRocpd& MadeRocpd::environment(std::string json) {
  environment_ = std::move(json);
  return *this;
}

void MadeRocpd::insert(const std::string& table, const std::vector<Cell>& cells) {
  std::string columns, values;
  for (const auto& [column, value] : cells) {
    columns += (columns.empty() ? "\"" : ", \"") + column + "\"";
    values += (values.empty() ? "" : ", ") + value;
  }
  sql_ += "INSERT INTO \"rocpd_" + table + suffix_ + "\"(" + columns + ") VALUES(" + values + ");";
}

void MadeRocpd::tables(const std::string& uuid) {
  suffix_ = uuid;
  const auto table = [&](const std::string& word, const std::string& columns, bool extra = true) {
    words_.push_back(word);
    sql_ +=
        "CREATE TABLE IF NOT EXISTS `rocpd_" + word + suffix_ + "` (" + kId + columns + (extra ? kExtra : "") + ");";
  };
  sql_ += "CREATE TABLE `rocpd_metadata" + suffix_ +
          "` (\"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, \"tag\" TEXT NOT NULL, \"value\" TEXT NOT NULL);";
  const std::string span =
      spine() ? "start_id INTEGER NOT NULL, end_id INTEGER NOT NULL" : "start BIGINT NOT NULL, \"end\" BIGINT NOT NULL";
  const std::string place =
      tracks() ? "track_id INTEGER NOT NULL, " : "nid INTEGER NOT NULL, pid INTEGER NOT NULL, tid INTEGER, ";
  const std::string gpu = tracks() ? "" : "agent_id INTEGER NOT NULL, queue_id INTEGER, stream_id INTEGER, ";
  const std::string graph =
      since("3.0.2") && !tracks() ? "graph_exec_id INTEGER DEFAULT 0, graph_node_id INTEGER DEFAULT 0, " : "";
  table("string", "string TEXT NOT NULL UNIQUE ON CONFLICT ABORT", false);
  table("info_node", "hash BIGINT NOT NULL UNIQUE, machine_id TEXT NOT NULL UNIQUE, hostname TEXT", false);
  table("info_process",
        "nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, init BIGINT, command TEXT, "
        "environment JSONB DEFAULT \"{}\" NOT NULL");
  table("info_thread", "nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, tid INTEGER NOT NULL, name TEXT");
  table("info_agent",
        std::string("nid INTEGER NOT NULL, pid INTEGER NOT NULL, \"type\" TEXT CHECK (\"type\" IN ('CPU', "
                    "'GPU'") +
            (since("3.0.1") ? ", 'NIC'" : "") +
            ")), absolute_index INTEGER, logical_index INTEGER, name TEXT, product_name TEXT, " +
            (tracks() ? "generic_name TEXT" : "user_name TEXT"));
  for (const char* word : {"info_queue", "info_stream"})
    table(word, "nid INTEGER NOT NULL, pid INTEGER NOT NULL, name TEXT");
  table("info_pmc",
        "nid INTEGER NOT NULL, pid INTEGER NOT NULL, agent_id INTEGER, name TEXT NOT NULL, symbol TEXT NOT "
        "NULL, units TEXT DEFAULT \"\"");
  table("info_code_object", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, agent_id INTEGER, uri TEXT");
  table("info_kernel_symbol",
        "nid INTEGER NOT NULL, pid INTEGER NOT NULL, code_object_id INTEGER NOT NULL, kernel_name "
        "TEXT, display_name TEXT, group_segment_size INTEGER, private_segment_size INTEGER, "
        "sgpr_count INTEGER, arch_vgpr_count INTEGER, accum_vgpr_count INTEGER");
  if (tracks()) table("info_category", "name TEXT NOT NULL");
  if (spine()) table("timestamp", "value BIGINT NOT NULL", false);
  table("track", std::string("nid INTEGER NOT NULL, pid INTEGER, tid INTEGER, ") +
                     (tracks() ? "ppid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, " : "") +
                     "name_id INTEGER");
  table("event",
        std::string("category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id INTEGER") +
            (tracks() ? "" : ", call_stack JSONB DEFAULT \"{}\" NOT NULL, line_info JSONB DEFAULT \"{}\" NOT NULL"));
  table("arg",
        "event_id INTEGER NOT NULL, position INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, value TEXT");
  table("pmc_event", std::string("event_id INTEGER, pmc_id INTEGER NOT NULL, value REAL DEFAULT 0.0") +
                         (since("3.0.3") && !tracks() ? ", sample_id INTEGER, xcc INTEGER" : ""));
  table("region", place + "name_id INTEGER NOT NULL, " + span + ", event_id INTEGER");
  table("kernel_dispatch",
        place + gpu + "kernel_id INTEGER NOT NULL, dispatch_id INTEGER NOT NULL, " + span +
            ", private_segment_size INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER NOT "
            "NULL, workgroup_size_y INTEGER NOT NULL, workgroup_size_z INTEGER NOT NULL, grid_size_x "
            "INTEGER NOT NULL, grid_size_y INTEGER NOT NULL, grid_size_z INTEGER NOT NULL, " +
            graph + "region_name_id INTEGER, event_id INTEGER");
  table("memory_copy", place + (tracks() ? "" : "queue_id INTEGER, stream_id INTEGER, ") + span +
                           ", name_id INTEGER NOT NULL, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER NOT "
                           "NULL, event_id INTEGER");
  table("memory_allocate", place + (tracks() ? "" : "agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, ") +
                               "type TEXT, level TEXT, " + span +
                               ", address INTEGER, size INTEGER NOT NULL, event_id INTEGER");
  if (since("3.0.1") && !tracks())
    table("event_operation", "nid INTEGER NOT NULL, event_obj INTEGER, start BIGINT, \"end\" BIGINT");
  if (since("3.0.2") && !tracks())
    table("graph_launch", "nid INTEGER NOT NULL, start BIGINT, \"end\" BIGINT, graph_exec_id INTEGER");
  if (since("3.0.4") && !tracks()) table("blob_event", "event_id INTEGER");
}

void MadeRocpd::described(const std::string& uuid, std::int64_t pid) {
  const std::string number = std::to_string(pid);
  for (const auto& [tag, value] : {std::pair<std::string, std::string>{"schema_version", version_}, {"uuid", uuid}})
    insert("metadata", {{"tag", text(tag)}, {"value", text(value)}});
  const char* const strings[] = {"",
                                 "KERNEL_DISPATCH",
                                 "HIP_RUNTIME_API_EXT",
                                 "MEMORY_COPY",
                                 "MARKER_CORE_RANGE_API",
                                 "hipLaunchKernel",
                                 "hipMemcpyAsync",
                                 "MEMORY_COPY_HOST_TO_DEVICE",
                                 "roctxRangePushA",
                                 "roctxRangeStartA",
                                 "RCCL_API",
                                 "ncclAllReduce"};
  std::int64_t id = 0;
  for (const char* string : strings) {
    insert("string", {{"id", std::to_string(++id)}, {"string", text(string)}});
    if (tracks()) insert("info_category", {{"id", std::to_string(id + 100)}, {"name", text(string)}});
  }
  insert("info_node", {{"id", "9"}, {"hash", "5"}, {"machine_id", "'m'"}, {"hostname", "'node1'"}});
  insert("info_process", {{"id", "20"},
                          {"nid", "9"},
                          {"pid", number},
                          {"command", "'./train --token hunter2'"},
                          {"environment", text(environment_)}});
  insert("info_thread", {{"id", "40"}, {"nid", "9"}, {"pid", "20"}, {"tid", number + "7"}});
  insert("info_agent", {{"id", "1"}, {"nid", "9"}, {"pid", "20"}, {"type", "'CPU'"}, {"logical_index", "0"}});
  insert("info_agent",
         {{"id", "2"},
          {"nid", "9"},
          {"pid", "20"},
          {"type", "'GPU'"},
          {"absolute_index", "1"},
          {"logical_index", "1"},
          {"name", "'gfx942'"},
          {"product_name", "'AMD Instinct MI300X'"},
          {"extdata", text(R"({"cu_count":304,"max_waves_per_cu":32,"wave_front_size":64,"lds_size_in_kb":64,)"
                           R"("max_engine_clk_fcompute":2100,"mem_banks":[{"size_in_bytes":206141652992,"width":8192,)"
                           R"("mem_clk_max":1300}]})")}});
  insert("info_queue", {{"id", "7"}, {"nid", "9"}, {"pid", "20"}, {"name", "'Queue 1'"}});
  insert("info_stream", {{"id", "3"}, {"nid", "9"}, {"pid", "20"}, {"name", "'Stream 3'"}});
  insert("info_code_object", {{"id", "1"}, {"nid", "9"}, {"pid", "20"}});
  insert("info_kernel_symbol", {{"id", "1"},
                                {"nid", "9"},
                                {"pid", "20"},
                                {"code_object_id", "1"},
                                {"kernel_name", "'_Z4gemmIfEvi.kd'"},
                                {"display_name", "'void gemm<float>(int)'"},
                                {"group_segment_size", "1024"},
                                {"private_segment_size", "0"},
                                {"sgpr_count", "48"},
                                {"arch_vgpr_count", "96"},
                                {"accum_vgpr_count", "4"},
                                {"extdata", text(R"({"truncated_kernel_name":"gemm"})")}});
  insert("info_pmc", {{"id", "1"}, {"nid", "9"}, {"pid", "20"}, {"name", "'SQ_WAVES'"}, {"symbol", "'SQ_WAVES'"}});
  if (!tracks()) return;
  insert("track", {{"id", "1"}, {"nid", "9"}, {"pid", "20"}, {"tid", "40"}});
  insert("track", {{"id", "2"},
                   {"nid", "9"},
                   {"pid", "20"},
                   {"tid", "40"},
                   {"agent_id", "2"},
                   {"queue_id", "7"},
                   {"stream_id", "3"}});
}

std::vector<MadeRocpd::Cell> MadeRocpd::placed(std::int64_t start, std::int64_t end, bool on_gpu,
                                               std::vector<Cell> cells) {
  if (spine()) {
    for (const auto& [column, value] : {std::pair("start_id", start), std::pair("end_id", end)}) {
      insert("timestamp", {{"id", std::to_string(++stamps_)}, {"value", std::to_string(value)}});
      cells.push_back({column, std::to_string(stamps_)});
    }
  } else {
    cells.push_back({"start", std::to_string(start)}), cells.push_back({"end", std::to_string(end)});
  }
  if (tracks()) {
    cells.push_back({"track_id", on_gpu ? "2" : "1"});
    return cells;
  }
  cells.insert(cells.end(), {{"nid", "9"}, {"pid", "20"}, {"tid", "40"}});
  return cells;
}

void MadeRocpd::happened(std::int64_t shift) {
  const auto event = [&](int id, int category, int stack, const std::string& extra = "{}") {
    insert("event", {{"id", std::to_string(id)},
                     {"category_id", std::to_string(category + (tracks() ? 100 : 0))},
                     {"stack_id", std::to_string(stack)},
                     {"correlation_id", "0"},
                     {"extdata", text(extra)}});
  };
  event(1, 3, 11), event(2, 2, 11), event(3, 3, 12), event(4, 4, 12), event(5, 5, 13, R"({"message":"step 1"})");
  event(6, 5, 14, R"({"message":"load"})"), event(7, 4, 15), event(8, 11, 16);
  const auto region = [&](std::int64_t start, std::int64_t end, int name, int of_event) {
    insert("region", placed(start + shift, end + shift, false,
                            {{"name_id", std::to_string(name)}, {"event_id", std::to_string(of_event)}}));
  };
  region(200, 210, 6, 1), region(300, 310, 7, 3), region(100, 900, 9, 5), region(50, 950, 10, 6),
      region(400, 420, 12, 8);
  auto dispatch = placed(250 + shift, 350 + shift, true,
                         {{"kernel_id", "1"},
                          {"dispatch_id", "1"},
                          {"group_segment_size", "1536"},
                          {"workgroup_size_x", "256"},
                          {"workgroup_size_y", "1"},
                          {"workgroup_size_z", "1"},
                          {"grid_size_x", "1000"},
                          {"grid_size_y", "2"},
                          {"grid_size_z", "1"},
                          {"event_id", "2"}});
  if (!tracks()) dispatch.insert(dispatch.end(), {{"agent_id", "2"}, {"queue_id", "7"}, {"stream_id", "3"}});
  if (since("3.0.2") && !tracks()) dispatch.insert(dispatch.end(), {{"graph_exec_id", "8"}, {"graph_node_id", "21"}});
  insert("kernel_dispatch", dispatch);
  auto copy =
      placed(320 + shift, 420 + shift, true,
             {{"name_id", "8"}, {"dst_agent_id", "2"}, {"src_agent_id", "1"}, {"size", "4096"}, {"event_id", "4"}});
  if (!tracks()) copy.push_back({"stream_id", "3"});
  insert("memory_copy", copy);
  const auto allocation = [&](std::int64_t start, const char* type, const char* size) {
    auto cells = placed(start + shift, start + 1 + shift, true,
                        {{"type", type}, {"level", "'REAL'"}, {"address", "77"}, {"size", size}, {"event_id", "7"}});
    if (!tracks()) cells.push_back({"agent_id", "2"});
    insert("memory_allocate", cells);
  };
  allocation(60, "'ALLOC'", "1024"), allocation(980, "'FREE'", "0");
  for (const char* value : {"10.0", "32.0"})
    insert("pmc_event", {{"event_id", "2"}, {"pmc_id", "1"}, {"value", value}});
  insert("arg", {{"event_id", "1"}, {"position", "0"}, {"type", "'int'"}, {"name", "'n'"}, {"value", "'1'"}});
}

MadeRocpd& MadeRocpd::empty_process(const std::string& uuid, std::int64_t pid) {
  if (first_.empty()) first_ = uuid;
  words_.clear();
  stamps_ = 0;
  tables(uuid), described(uuid, pid);
  return *this;
}

MadeRocpd& MadeRocpd::process(const std::string& uuid, std::int64_t pid, std::int64_t shift) {
  empty_process(uuid, pid);
  happened(shift);
  return *this;
}

MadeRocpd& MadeRocpd::views() {
  for (const std::string& word : words_)
    sql_ += "CREATE VIEW `rocpd_" + word + "` AS SELECT * FROM `rocpd_" + word + first_ + "`;";
  return *this;
}

std::filesystem::path MadeRocpd::write() const {
  const auto file = folder_.path() / "made_results.db";
  std::filesystem::remove(file);
  run_sql(file, "BEGIN;" + sql_ + "COMMIT;");
  return file;
}

}  // namespace assay
