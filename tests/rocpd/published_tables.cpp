#include "published_tables.hpp"

#include <sstream>

namespace assay {
namespace {

/// "nid:I! name:T extdata:J" in SQL. I: a whole number, B: a long one, T: text, R: real, J: an object of JSON, X:
/// bytes;
/// '!': never NULL; what stands behind '=' is the default.
std::string in_sql(const std::string& columns) {
  std::istringstream words(columns);
  std::string sql;
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    const std::string name = word.substr(0, colon);
    sql += (sql.empty() ? "\"" : ", \"") + name + "\" ";
    const char kind = word[colon + 1];
    sql += kind == 'I'   ? "INTEGER"
           : kind == 'B' ? "BIGINT"
           : kind == 'R' ? "REAL"
           : kind == 'X' ? "BLOB"
           : kind == 'J' ? "JSONB DEFAULT \"{}\""
                         : "TEXT";
    if (const std::size_t equals = word.find('='); equals != std::string::npos)
      sql += " DEFAULT " + word.substr(equals + 1);
    if (word.find('!') != std::string::npos) sql += " NOT NULL";
  }
  return sql;
}

class PublishedSchema {
 public:
  explicit PublishedSchema(std::string_view version) : version_(version) {}

  std::vector<PublishedTable> all() {
    metadata();
    described();
    happened();
    added();
    return std::move(tables_);
  }

 private:
  [[nodiscard]] bool since(std::string_view version) const { return version_ >= version; }
  /// Since 4 what happened names a track, which has the rest.
  [[nodiscard]] bool tracks() const { return since("4"); }
  [[nodiscard]] std::string only(bool holds, const char* columns) const { return holds ? std::string(columns) : ""; }

  void add(const char* word, const std::string& columns) {
    const std::string id = R"("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, )";
    const std::string guid = std::string(word) == "metadata" ? "" : R"("guid" TEXT DEFAULT "g" NOT NULL, )";
    tables_.push_back({word, id + guid + in_sql(columns)});
  }

  void metadata() {
    add("metadata", "tag:T! value:T!");
    tables_.push_back({"string",
                       R"("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "guid" TEXT DEFAULT "g" NOT NULL, )"
                       R"("string" TEXT NOT NULL UNIQUE ON CONFLICT ABORT)"});
  }

  void described() {
    const std::string named = only(tracks(), "name:T ");
    add("info_node", "hash:B! machine_id:T! " + named +
                         "system_name:T hostname:T release:T version:T hardware_name:T domain_name:T");
    add("info_process",
        "nid:I! ppid:I pid:I! " + named + "init:B fini:B start:B end:B command:T environment:J! extdata:J!");
    add("info_thread", "nid:I! ppid:I pid:I! tid:I! name:T start:B end:B extdata:J!");
    add("info_agent", "nid:I! pid:I! type:T absolute_index:I logical_index:I type_index:I uuid:I name:T " +
                          only(tracks(), "generic_name:T ") + "model_name:T vendor_name:T product_name:T " +
                          only(!tracks(), "user_name:T ") + "extdata:J!");
    add("info_queue", "nid:I! pid:I! name:T extdata:J!");
    add("info_stream", "nid:I! pid:I! name:T extdata:J!");
    add("info_pmc", "nid:I! pid:I! agent_id:I target_arch:T event_code:I instance_id:I name:T! symbol:T! " +
                        only(tracks(), "qualifier:T ") +
                        "description:T long_description:T component:T units:T value_type:T block:T expression:T "
                        "is_constant:I is_derived:I " +
                        only(since("3.0.3") && !tracks(), "spm_support:I ") + "extdata:J!");
    add("info_code_object",
        "nid:I! pid:I! agent_id:I uri:T load_base:B load_size:B load_delta:B storage_type:T extdata:J!");
    add("info_kernel_symbol",
        "nid:I! pid:I! code_object_id:I! kernel_name:T display_name:T kernel_object:I kernarg_segment_size:I "
        "kernarg_segment_alignment:I group_segment_size:I private_segment_size:I sgpr_count:I arch_vgpr_count:I "
        "accum_vgpr_count:I extdata:J!");
  }

  void happened() {
    const std::string span = version_ == "4.0.0" ? "start_id:I! end_id:I! " : "start:B! end:B! ";
    const std::string place = tracks() ? "track_id:I! " : "nid:I! pid:I! tid:I ";
    const std::string queue = only(!tracks(), "queue_id:I stream_id:I ");
    const std::string graph = only(since("3.0.2") && !tracks(), "graph_exec_id:I!=0 graph_node_id:I!=0 ");
    const std::string name = only(tracks(), "name_id:I! "), region = "region_name_id:I ";
    add("track", tracks() ? "nid:I! ppid:I pid:I tid:I agent_id:I queue_id:I stream_id:I name_id:I extdata:J!"
                          : "nid:I! pid:I tid:I name_id:I extdata:J!");
    add("event", "category_id:I stack_id:I parent_stack_id:I correlation_id:I " +
                     only(!tracks(), "call_stack:J! line_info:J! ") + "extdata:J!");
    add("arg", "event_id:I! position:I! type:T! name:T! value:T extdata:J!");
    add("pmc_event", "event_id:I " + only(since("3.0.3") && !tracks(), "sample_id:I ") + "pmc_id:I! value:R=0.0 " +
                         only(since("3.0.3") && !tracks(), "xcc:I shader_engine:I instance:I ") + "extdata:J");
    add("region", place + span + "name_id:I! event_id:I extdata:J!");
    add("sample",
        "track_id:I! " + name + (version_ == "4.0.0" ? "timestamp_id:I! " : "timestamp:B! ") + "event_id:I extdata:J!");
    add("kernel_dispatch",
        place + only(!tracks(), "agent_id:I! ") + "kernel_id:I! dispatch_id:I! " +
            only(!tracks(), "queue_id:I! stream_id:I! ") + span +
            "private_segment_size:I group_segment_size:I workgroup_size_x:I! workgroup_size_y:I! workgroup_size_z:I! "
            "grid_size_x:I! grid_size_y:I! grid_size_z:I! " +
            graph + region + "event_id:I extdata:J!");
    add("memory_copy", place + span + "name_id:I! dst_agent_id:I dst_address:I src_agent_id:I src_address:I size:I! " +
                           queue + graph + region + "event_id:I extdata:J!");
    add("memory_allocate", place + only(!tracks(), "agent_id:I ") + "type:T level:T " + span + name +
                               "address:I size:I! " + queue + only(tracks(), "region_name_id:I ") +
                               "event_id:I extdata:J!");
  }

  /// Tables that came later.
  void added() {
    if (version_ == "4.0.0") add("timestamp", "value:B! phase:I track_id:I");
    if (tracks()) {
      add("info_category", "name:T! extdata:J!");
      add("info_address_range", "nid:I! pid:I! address_base:B address_low:B address_high:B extdata:J!");
      add("info_source_code", "nid:I! pid:I! address_id:I file:T line_number:I lines:J! instructions:J! extdata:J!");
      add("info_pc", "nid:I! pid:I! function:T! address_id:I file:T line:I extdata:J!");
      add("line_info", "event_id:I! source_code_id:I pc_id:I extdata:J!");
      add("call_stack", "event_id:I! pc_id:I depth:I! extdata:J!");
      return;
    }
    if (since("3.0.1"))
      add("event_operation",
          "nid:I! pid:I! tid:I agent_id:I! event_obj:I! type_id:I! issue_id:I! queue_id:I! stream_id:I! start:B! "
          "end:B! type:T event_id:I");
    if (since("3.0.2"))
      add("graph_launch",
          "nid:I! pid:I! tid:I agent_id:I queue_id:I start:B! end:B! graph_exec_id:I! kernel_dispatch_count:I!=0 "
          "event_id:I extdata:J!");
    if (!since("3.0.4")) return;
    add("info_blob_schema",
        "nid:I! pid:I! name:T! source_table:T! description:T byte_order:T alignment:I! struct_size:I! version:I! "
        "extdata:J!");
    add("info_blob_field",
        "schema_id:I! name:T! offset:I! size:I! data_type:T! is_signed:I!=0 description:T extdata:J!");
    add("blob_event", "nid:I! pid:I! event_id:I! schema_id:I! blob:X!");
    add("gpu_pc_sample",
        "nid:I! pid:I! agent_id:I! dispatch_id:I! timestamp:B! exec:I code_object_id:I code_object_offset:I "
        "wave_in_group:I correlation_id:I event_id:I! extdata:J!");
  }

  std::string_view version_;
  std::vector<PublishedTable> tables_;
};

}  // namespace

std::vector<PublishedTable> published_tables(std::string_view version) { return PublishedSchema(version).all(); }

}  // namespace assay
