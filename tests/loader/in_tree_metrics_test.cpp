// What the analyzers of this tree declare.
#include "fixtures.hpp"
#include "support/test.hpp"

namespace assay::in_tree_metrics_test {

class InTreeMetrics : public ::testing::Test {
 protected:
  InTreeMetrics() : plugins(load_plugins(std::vector{plugin_folders({}).back()})) {}
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& plugin : plugins.loaded) {
      for (const MetricSpec& metric : plugin->descriptor().produces) visit(metric);
    }
  }
  Plugins plugins;
};

TEST_F(InTreeMetrics, HaveATitleInWords) {
  std::size_t count = 0;
  each([&](const MetricSpec& metric) {
    ++count;
    const std::string title(metric.title), id(metric.id);
    EXPECT_FALSE(title.empty()) << id;
    EXPECT_LE(title.size(), 60U) << id;
    EXPECT_FALSE(contains(title, id));
    EXPECT_EQ(title.find_first_of("_"), std::string::npos) << id << ": '" << title << "' is not words";
    EXPECT_FALSE(title.ends_with('.')) << id;
  });
  EXPECT_GT(count, 130U);
  EXPECT_EQ(plugins.refused.size(), 0U);
}

TEST_F(InTreeMetrics, GrowWithTheRunIfSumsCountsOrLengths) {
  std::set<std::string> extensive;
  each([&](const MetricSpec& metric) {
    if (!metric.extensive) return;
    extensive.emplace(metric.id.view());
    EXPECT_TRUE(metric.unit == "ns" || metric.unit == "1" || metric.unit == "bytes" || metric.unit == "J")
        << metric.id.view();
    for (const char* word : {"_mean", "_median", "_ratio", "per_iteration", "per_s"}) {
      EXPECT_FALSE(contains(std::string(metric.id), word));
    }
    EXPECT_FALSE(metric.id.view().starts_with("iteration.") && metric.id != "iteration.count") << metric.id.view();
  });
  for (const char* id : {"window.duration_ns", "kernel.count", "kernel.time_sum_ns", "copy.bytes", "sync.host_time_ns",
                         "gap.time_sum_ns", "kernel_class.time_sum_ns", "idle.time_ns", "iteration.count"}) {
    EXPECT_TRUE(extensive.contains(id)) << id;
  }
}

}  // namespace assay::in_tree_metrics_test
