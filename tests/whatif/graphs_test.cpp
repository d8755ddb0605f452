// What a range gains as one launch of a CUDA graph, against the same server with graphs and without a profiler.
#include "config/installed_options.hpp"
#include "recognise/profiles.hpp"
#include "steps.hpp"
#include "support/test.hpp"
#include "whatif/predict.hpp"

namespace assay::whatif::graphs_test {

/// `assay whatif FILE --graph 'decode_{i}'`: a decode without what the host does between two of them, ms.
std::optional<double> predicted_ms(const char* folder, const std::string& file) {
  const auto path = data_file(folder, file);
  if (!path) return std::nullopt;
  const std::vector<std::filesystem::path> places = {*path};
  const auto catalog = require(profiles_at(places, {}));
  const auto asked = require(read_graph("decode_{i}"));
  auto run = require(read_run(files_of(*catalog).front(), {"decode_{i}"}));
  Effects effects({Changes{*asked}}, installed_kernel_rules());
  effects.add(*run);
  const auto predictions = effects.predictions();
  const auto prediction = require(predictions.front());
  std::printf("%s: %.3f ms to %.3f ms, %.3f ms of them between decodes\n", file.c_str(), prediction->before / 1e6,
              prediction->after / 1e6, run->between / 1e6);
  return (prediction->after - run->between) / 1e6;
}

/// Medians of 480 decodes of the server with graphs, by its own CUDA events and without a profiler, ms.
struct Server {
  const char *folder, *eager;
  double unprofiled_decode;
};

TEST(GraphedRanges, EqualTheTimesOfAnEagerServer) {
  for (const auto& [folder, eager, unprofiled] :
       {Server{"serve", "graph_level/eager_bs1.sqlite", 0.686}, Server{"serve", "node_level/eager_bs1.sqlite", 0.686},
        Server{"serve_b", "torch/eager_bs4.pt.trace.json.gz", 0.799},
        Server{"serve_b", "torch/eager_bs8.pt.trace.json.gz", 0.930}}) {
    const auto after = predicted_ms(folder, eager);
    if (!after && std::string_view(folder) == "serve") GTEST_SKIP() << "no ASSAY_DATA with " << folder;
    if (!after) continue;  // other batch sizes, where somebody recorded them
    EXPECT_NEAR(*after, unprofiled, 0.15 * unprofiled) << folder << " " << eager;
  }
}

}  // namespace assay::whatif::graphs_test
