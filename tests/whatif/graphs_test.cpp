// What a range gains as one launch of a CUDA graph, against the same server with graphs and without a profiler.
#include <gtest/gtest.h>

#include <cstdio>

#include "config/installed_options.hpp"
#include "recognise/profiles.hpp"
#include "steps.hpp"
#include "support/check.hpp"
#include "support/real_data.hpp"
#include "whatif/predict.hpp"

namespace assay::whatif::graphs_test {

/// `assay whatif FILE --graph 'decode_{i}'`: a decode without what the host does between two of them, ms.
std::optional<double> predicted_ms(const std::string& file) {
  const auto path = data_file("serve", file);
  if (!path) return std::nullopt;
  const std::vector<std::filesystem::path> places = {*path};
  const auto catalog = require(profiles_at(places, {}));
  const auto asked = require(read_graph("decode_{i}"));
  const auto run = require(read_run(files_of(*catalog).front(), {"decode_{i}"}));
  Effects effects({Changes{*asked}}, installed_kernel_rules());
  effects.add(*run);
  const auto predictions = effects.predictions();
  const auto prediction = require(predictions.front());
  std::printf("%s: %.3f ms to %.3f ms, %.3f ms of them between decodes\n", file.c_str(), prediction->before / 1e6,
              prediction->after / 1e6, run->between / 1e6);
  return (prediction->after - run->between) / 1e6;
}

/// The median of 480 decodes of the server with graphs, by its own CUDA events and without a profiler.
constexpr double kUnprofiledDecode = 0.686, kWithin = 0.15;

TEST(GraphedRanges, OfAnEagerServerTakeAsLongAsItsGraphsDid) {
  for (const char* file : {"graph_level/eager_bs1.sqlite", "node_level/eager_bs1.sqlite"}) {
    const auto after = predicted_ms(file);
    if (!after) GTEST_SKIP() << "no ASSAY_DATA";
    EXPECT_NEAR(*after, kUnprofiledDecode, kWithin * kUnprofiledDecode) << file;
  }
}

}  // namespace assay::whatif::graphs_test
