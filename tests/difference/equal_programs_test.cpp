// Comparisons of equal programs: how often a change is named, by simulation. docs/accuracy.md has the table.
#include "config/installed_options.hpp"
#include "difference/comparison.hpp"
#include "made_program.hpp"
#include "simulation/simulation.hpp"
#include "support/test.hpp"

namespace assay::difference::test::equal_programs_test {

/// One run more of a program: a factor of the run and one of each item, which together have that spread.
RunMeasure noisy(const RunMeasure& base, double spread, Random& random) {
  RunMeasure run = base;
  const double half = spread / std::sqrt(2.0), common = half * random.normal();
  run.time = 0;
  for (Item& item : run.items) {
    const double factor = std::exp(common + half * random.normal());
    item.sums.wall = std::llround(static_cast<double>(item.sums.wall) * factor);
    run.time += item.sums.wall;
  }
  const auto steps = static_cast<std::int64_t>(run.steps());
  for (std::int64_t& step : run.step_times) step = run.time / steps;
  return run;
}

bool names_a_change(const Comparison& c) {
  return c.step_told || std::any_of(c.findings.begin(), c.findings.end(), [](const Finding& f) { return f.told; });
}

/// The launches of a recorded run where ASSAY_DATA/step says where they are, else those of the made-up program.
RunMeasure base_run() {
  const char* folder = real_data("step");
  if (folder == nullptr) return measured({.layers = 8});
  const std::filesystem::path file = std::filesystem::path(folder) / "nsys/gpubound_base_block1.sqlite";
  const NameRules rules{std::span<const Str>{}};
  Result<Side> side = measure_side({"base", {file}}, {installed_step_names()}, rules);
  EXPECT_TRUE(side) << file;
  return side ? side->runs.front() : RunMeasure{};
}

/// The place of the kernel that takes most of the time.
std::size_t largest_kernel(const RunMeasure& run) {
  const auto time = [](const Item& item) { return item.key.kind == ItemKind::kKernel ? item.sums.wall : -1; };
  const auto& items = run.items;
  return static_cast<std::size_t>(
      std::max_element(items.begin(), items.end(), [&](const Item& a, const Item& b) { return time(a) < time(b); }) -
      items.begin());
}

TEST(EqualPrograms, RarelyNameAChange) {
  const RunMeasure base = base_run();
  simulation::Rate all;
  for (const double spread : {0.005, 0.02, 0.1}) {
    for (const std::size_t runs : {2U, 3U, 4U, 5U}) {
      const std::string row = "spread " + std::to_string(spread) + ", " + std::to_string(runs) + " runs a side";
      Random random = simulation::stream(row);
      simulation::Rate rate;
      for (std::size_t study = 0; study < simulation::studies(100); ++study) {
        std::vector<RunMeasure> before, after;
        for (std::size_t r = 0; r < runs; ++r) {
          before.push_back(noisy(base, spread, random));
          after.push_back(noisy(base, spread, random));
        }
        const bool named =
            names_a_change(compare(side_of("before", std::move(before)), side_of("after", std::move(after))));
        rate.add(named), all.add(named);
      }
      simulation::report(row, "a change is named", rate);
    }
  }
  simulation::expect_rarely("equal programs", "a change is named", all);
}

TEST(EqualPrograms, ASlowerKernelIsFound) {
  const RunMeasure base = base_run();
  // Chosen once: of kernels of one size, as in a made-up program, noise would choose another in every run.
  const std::size_t largest = largest_kernel(base);
  constexpr double kSpread = 0.005;
  for (const double slower : {0.01, 0.02, 0.05, 0.1}) {
    Random random = simulation::stream("slower " + std::to_string(slower));
    simulation::Rate rate;
    for (std::size_t study = 0; study < 40; ++study) {
      std::vector<RunMeasure> before, after;
      for (int r = 0; r < 5; ++r) {
        before.push_back(noisy(base, kSpread, random));
        RunMeasure run = noisy(base, kSpread, random);
        Item& kernel = run.items[largest];
        const auto more = static_cast<std::int64_t>(slower * static_cast<double>(kernel.sums.wall));
        kernel.sums.wall += more, run.time += more;
        after.push_back(std::move(run));
      }
      const Comparison c = compare(side_of("before", std::move(before)), side_of("after", std::move(after)));
      rate.add(c.findings.front().told && c.findings.front().amount.difference > 0);
    }
    simulation::report("largest kernel slower by " + std::to_string(slower), "is named first", rate);
    if (slower >= 0.05) {
      EXPECT_GE(rate.share(), 0.9) << slower;
    }
  }
}

}  // namespace assay::difference::test::equal_programs_test
