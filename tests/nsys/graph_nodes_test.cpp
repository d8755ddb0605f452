// Nodes of graphs and the ranges of their capture.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay {
namespace graph_nodes_test {

const std::set<ColumnId> kWanted = {col::kernels, col::kernel_graph_node, col::ranges, col::calls, col::declared};

/// Number of nodes by the name of the range of their capture; "": none.
std::map<std::string, int> nodes_by_range(const Report& report) {
  std::map<std::string, int> out;
  const DeclaredTable* nodes = report.table("graph_nodes");
  if (nodes == nullptr) return out;
  const Column<std::int64_t> range = nodes->integers("range");
  for (std::size_t n = 0; n < nodes->rows; ++n)
    ++out[range[n] < 0 ? std::string() : std::string(report.string(report.ranges->name[range[n]]))];
  return out;
}

TEST(GraphNodes, HaveTheRangeInWhichTheyOrWhatTheyCloneWereCaptured) {
  MadeExport made;
  made.with_kernels().with_ranges().with_calls();
  made.call(0, 5, tid(1, 1), 1).range(100, 200, "capture", tid(1, 1)).range(120, 150, "layer0", tid(1, 1));
  made.range(100, 400, "elsewhere", tid(1, 2)).call(1, 2, tid(1, 2), 2);
  const std::string thread = std::to_string(tid(1, 1));
  made.add(
      "CREATE TABLE CUDA_GRAPH_NODE_EVENTS(start INT, end INT, eventClass INT, globalTid INT, nameId INT, graphNodeId "
      "INT, originalGraphNodeId INT);"
      "INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES(130,130,77," +
      thread + ",1,10,NULL),(160,160,77," + thread + ",1,11,NULL),(300,300,77," + thread + ",1,20,10),(301,301,77," +
      thread + ",1,21,11),(310,310,77," + thread + ",1,30,20),(311,311,77,NULL,1,40,NULL);");
  made.kernel(500, 510, pid(1), 1);
  const LoadedView loaded(made.write(), {}, {}, kWanted);
  const std::map<std::string, int> expected = {{"capture", 2}, {"layer0", 3}, {"", 1}};
  EXPECT_EQ(nodes_by_range(loaded.report()), expected);
  const DeclaredTable* nodes = loaded.report().table("graph_nodes");
  EXPECT_TRUE(equals(nodes->integers("node"), {10, 20, 30, 11, 21, 40}));
  EXPECT_TRUE(equals(nodes->integers("original"), {10, 10, 10, 11, 11, 40}));
  EXPECT_TRUE(equals(nodes->integers("time"), {130, 130, 130, 160, 160, 311}));
}

/// By Python: 223 kernel nodes, 18 in each of 12 layers and 7 in `capture` alone.
TEST(GraphNodes, AreInTheirLayersInARealCapture) {
  ASSAY_REAL_FILE(file, "serve", "capture_inside.sqlite");
  const LoadedView loaded(*file, {}, {}, kWanted);
  const Report& report = loaded.report();
  const DeclaredTable* nodes = report.table("graph_nodes");
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(nodes->rows, 462U) << "of 686 events, in which clones are created twice";
  std::map<std::int64_t, std::string> range_of;
  for (std::size_t n = 0; n < nodes->rows; ++n) {
    const std::int64_t range = nodes->integers("range")[n];
    range_of[nodes->integers("node")[n]] = range < 0 ? "" : report.string(report.ranges->name[range]);
  }
  std::map<std::string, std::set<std::int64_t>> kernels;
  for (std::size_t k = 0; k < report.kernels->rows; ++k) {
    const std::int64_t node = report.kernels->graph_node[k];
    if (node != kNone) kernels[range_of[node]].insert(node);
  }
  EXPECT_EQ(kernels.size(), 13U);
  for (int layer = 0; layer < 12; ++layer) EXPECT_EQ(kernels["layer" + std::to_string(layer)].size(), 18U);
  EXPECT_EQ(kernels["capture"].size(), 7U);
}

}  // namespace graph_nodes_test
}  // namespace assay
