#include "made_rocpd.hpp"

#include "published_tables.hpp"

namespace assay {
namespace {

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
  for (const PublishedTable& table : published_tables(version_)) {
    if (table.word != "metadata") words_.push_back(table.word);
    sql_ += "CREATE TABLE `rocpd_" + table.word + suffix_ + "` (" + table.columns + ");";
  }
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
                           R"("mem_clk_max":1300}],"caches":")" +
                           std::string(120000, 'c') + R"("})")}});
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
    cells.push_back({"start", std::to_string(start)});
    cells.push_back({"end", std::to_string(end)});
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
  event(1, 3, 11);
  event(2, 2, 11);
  event(3, 3, 12);
  event(4, 4, 12);
  event(5, 5, 13, R"({"message":"step 1"})");
  event(6, 5, 14, R"({"message":"load"})");
  event(7, 4, 15);
  event(8, 11, 16);
  const auto region = [&](std::int64_t start, std::int64_t end, int name, int of_event) {
    insert("region", placed(start + shift, end + shift, false,
                            {{"name_id", std::to_string(name)}, {"event_id", std::to_string(of_event)}}));
  };
  region(200, 210, 6, 1);
  region(300, 310, 7, 3);
  region(100, 900, 9, 5);
  region(50, 950, 10, 6);
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
    cells.push_back(tracks() ? Cell{"name_id", "1"} : Cell{"agent_id", "2"});
    insert("memory_allocate", cells);
  };
  allocation(60, "'ALLOC'", "1024");
  allocation(980, "'FREE'", "0");
  for (const char* value : {"10.0", "32.0"})
    insert("pmc_event", {{"event_id", "2"}, {"pmc_id", "1"}, {"value", value}});
  insert("arg", {{"event_id", "1"}, {"position", "0"}, {"type", "'int'"}, {"name", "'n'"}, {"value", "'1'"}});
  of_other_tables();
}

void MadeRocpd::of_other_tables() {
  if (!tracks()) insert("track", {{"id", "1"}, {"nid", "9"}, {"pid", "20"}, {"tid", "40"}});
  std::vector<Cell> sample = {{"track_id", "1"}, {"event_id", "1"}, {spine() ? "timestamp_id" : "timestamp", "1"}};
  if (tracks()) sample.push_back({"name_id", "1"});
  insert("sample", sample);
  const std::vector<Cell> process = {{"nid", "9"}, {"pid", "20"}};
  const auto with = [&](std::vector<Cell> cells) {
    cells.insert(cells.end(), process.begin(), process.end());
    return cells;
  };
  if (tracks()) {
    insert("info_address_range", with({{"address_base", "0"}}));
    insert("info_source_code", with({{"file", "'a.hip'"}}));
    insert("info_pc", with({{"function", "'main'"}}));
    insert("line_info", {{"event_id", "1"}, {"pc_id", "1"}});
    insert("call_stack", {{"event_id", "1"}, {"pc_id", "1"}, {"depth", "0"}});
    return;
  }
  if (since("3.0.1")) {
    insert("event_operation", with({{"agent_id", "2"},
                                    {"event_obj", "1"},
                                    {"type_id", "1"},
                                    {"issue_id", "1"},
                                    {"queue_id", "7"},
                                    {"stream_id", "3"},
                                    {"start", "250"},
                                    {"end", "350"},
                                    {"type", "'WAIT'"}}));
  }
  if (since("3.0.2")) insert("graph_launch", with({{"start", "250"}, {"end", "350"}, {"graph_exec_id", "8"}}));
  // A counter over time: of no dispatch, although it names its event.
  if (since("3.0.3")) insert("pmc_event", {{"event_id", "2"}, {"pmc_id", "1"}, {"value", "99.0"}, {"sample_id", "1"}});
  if (!since("3.0.4")) return;
  insert("info_blob_schema", with({{"name", "'s'"},
                                   {"source_table", "'rocpd_gpu_pc_sample'"},
                                   {"alignment", "1"},
                                   {"struct_size", "1"},
                                   {"version", "1"}}));
  insert("info_blob_field",
         {{"schema_id", "1"}, {"name", "'x'"}, {"offset", "0"}, {"size", "1"}, {"data_type", "'u8'"}});
  insert("blob_event", with({{"event_id", "1"}, {"schema_id", "1"}, {"blob", "x'00'"}}));
  insert("gpu_pc_sample", with({{"agent_id", "2"}, {"dispatch_id", "1"}, {"timestamp", "260"}, {"event_id", "2"}}));
}

MadeRocpd& MadeRocpd::empty_process(const std::string& uuid, std::int64_t pid) {
  if (first_.empty()) first_ = uuid;
  words_.clear();
  stamps_ = 0;
  tables(uuid);
  described(uuid, pid);
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
