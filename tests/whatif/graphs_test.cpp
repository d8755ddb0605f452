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

/// `assay whatif FILE --graph 'decode_{i}'`: the predicted iteration, ms.
std::optional<double> predicted_ms(const std::string& file) {
  const auto path = data_file("serve", file);
  if (!path) return std::nullopt;
  const std::vector<std::filesystem::path> places = {*path};
  const Catalog catalog = require(profiles_at(places, {}));
  const Changes changes = {require(read_graph("decode_{i}"))};
  Effects effects({changes}, installed_kernel_rules());
  effects.add(require(read_run(files_of(catalog).front(), {"decode_{i}"})));
  const std::vector<Result<Prediction>> predictions = effects.predictions();
  if (!predictions.front()) throw std::runtime_error(predictions.front().error().sentence);
  std::printf("%s: %.3f ms to %.3f ms\n", file.c_str(), predictions.front()->before / 1e6,
              predictions.front()->after / 1e6);
  return predictions.front()->after / 1e6;
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
