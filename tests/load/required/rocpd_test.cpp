// Every column that is read of a rocpd database, damaged in turn.
#include "damaged_tables.hpp"
#include "rocpd/made_rocpd.hpp"

namespace assay::required_rocpd_test {

/// By table, without those that only describe (README of the format in published_tables.cpp).
const std::vector<std::pair<std::string, std::vector<std::string>>> kColumns = {
    {"string", {"id", "string"}},
    {"info_thread", {"id", "tid"}},
    {"info_agent", {"id", "type", "logical_index", "absolute_index", "extdata"}},
    {"info_kernel_symbol", {"id"}},
    {"info_pmc", {"id", "name"}},
    {"info_process", {"pid"}},
    {"event", {"id", "category_id"}},
    {"track", {"id"}},
    {"timestamp", {"id", "value"}},
    {"pmc_event", {"event_id", "pmc_id", "value"}},
    {"kernel_dispatch",
     {"start", "end", "start_id", "end_id", "track_id", "agent_id", "kernel_id", "dispatch_id", "queue_id", "stream_id",
      "workgroup_size_x", "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z"}},
    {"region", {"start", "end", "start_id", "end_id", "tid", "track_id", "name_id", "event_id"}},
    {"memory_copy", {"start", "end", "start_id", "end_id", "track_id", "src_agent_id", "dst_agent_id", "size"}},
    {"memory_allocate", {"start", "start_id", "type", "level", "size"}}};

class RequiredColumnsOfRocpd : public ::testing::TestWithParam<const char*> {};

TEST_P(RequiredColumnsOfRocpd, AreMissed) {
  MadeRocpd made(GetParam(), all_traced());
  const auto file = made.process(kOne, 20).write();
  loosen(file);
  ASSERT_EQ(fingerprint(file).refusal, "");
  std::vector<DamagedColumn> columns;
  for (const auto& [word, names] : kColumns) {
    const std::string table = "rocpd_" + word + kOne;
    const auto there = cells_of(file, "SELECT name FROM pragma_table_info('" + table + "')");
    for (const std::string& name : names) {
      if (std::ranges::find(there, name) != there.end()) columns.push_back({table, name});
    }
  }
  ASSERT_GE(columns.size(), 30U);
  // A counter may have any value, and a dispatch any number.
  std::set<std::string> known;
  for (const char* value : {"9223372036854775807", "-9223372036854775807", "-9223372036854775808"}) {
    known.insert(std::string("rocpd_pmc_event.value one ") + value);
    known.insert(std::string("rocpd_kernel_dispatch.dispatch_id one ") + value);
  }
  expect_no_silence(file, columns, known);
}

INSTANTIATE_TEST_SUITE_P(Versions, RequiredColumnsOfRocpd, ::testing::Values("3.0.0", "4.0.0", "4.1.0"),
                         [](const auto& version) {
                           std::string name = version.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace assay::required_rocpd_test
