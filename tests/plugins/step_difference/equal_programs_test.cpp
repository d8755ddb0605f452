// Comparisons of equal programs: how often a change is named, by simulation. docs/accuracy.md has the table.
#include "config/installed_options.hpp"
#include "made_program.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/step_difference/comparison.hpp"
#include "recognise/profiles.hpp"
#include "simulation/simulation.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::difference::test::equal_programs_test {

/// One run more of a program: a factor of the run and one of each item, which together have that spread.
SideRun noisy(const SideRun& base, double spread, Random& random) {
  SideRun run = base;
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
SideRun base_run() {
  const char* folder = real_data("step");
  if (folder == nullptr) return measured(MadeProgram{.layers = 8});
  const std::filesystem::path file = std::filesystem::path(folder) / "nsys/gpubound_base_block1.sqlite";
  const std::filesystem::path files[] = {file};
  const auto catalog = profiles_at(files, {});
  EXPECT_TRUE(catalog) << file;
  const auto wants = under_test::step_items::descriptor.wants;
  const auto profile = read_profile(files_of(*catalog).front(), {wants.begin(), wants.end()});
  EXPECT_TRUE(profile) << file;
  const auto view = profile->view({}, {});
  EXPECT_TRUE(view) << file;
  return measured(view->report());
}

/// The place of the kernel that takes most of the time.
std::size_t largest_kernel(const SideRun& run) {
  const auto time = [](const Item& item) { return item.key.kind == ItemKind::kKernel ? item.sums.wall : -1; };
  const auto& items = run.items;
  return static_cast<std::size_t>(
      std::max_element(items.begin(), items.end(), [&](const Item& a, const Item& b) { return time(a) < time(b); }) -
      items.begin());
}

/// Whether a change is named between runs of one program that differ by these spreads, so many a side.
bool named_by_chance(const SideRun& base, double before, double after, std::size_t runs, Random& random) {
  std::vector<SideRun> sides[2];
  for (std::size_t r = 0; r < runs; ++r) {
    sides[0].push_back(noisy(base, before, random));
    sides[1].push_back(noisy(base, after, random));
  }
  return names_a_change(compare(side_of("before", std::move(sides[0])), side_of("after", std::move(sides[1]))));
}

/// Noise of both sides, and whether they may differ in it.
void rarely_named(const char* what, const std::vector<std::pair<double, double>>& noise, std::size_t studies) {
  const SideRun base = base_run();
  simulation::Rate all;
  for (const auto& [before, after] : noise) {
    for (const std::size_t runs : {2U, 3U, 4U, 5U}) {
      const std::string row = "spread " + std::to_string(before) +
                              (before == after ? "" : " and " + std::to_string(after)) + ", " + std::to_string(runs) +
                              " runs a side";
      Random random = simulation::stream(row);
      simulation::Rate rate;
      for (std::size_t study = 0; study < simulation::studies(studies); ++study)
        rate.add(named_by_chance(base, before, after, runs, random));
      all.events += rate.events;
      all.trials += rate.trials;
      simulation::report(row, "a change is named", rate);
    }
  }
  simulation::expect_rarely(what, "a change is named", all);
}

TEST(EqualPrograms, RarelyNameAChange) {
  rarely_named("equal programs", {{0.005, 0.005}, {0.02, 0.02}, {0.1, 0.1}}, 100);
}

TEST(EqualPrograms, RarelyNameAChangeIfTheirNoiseDiffers) {
  rarely_named("unequal noise", {{0.002, 0.05}, {0.05, 0.002}}, 125);
}

TEST(EqualPrograms, ASlowerKernelIsFound) {
  const SideRun base = base_run();
  // Chosen once: of kernels of one size, as in a made-up program, noise would choose another in every run.
  const std::size_t largest = largest_kernel(base);
  constexpr double kSpread = 0.005;
  for (const double slower : {0.01, 0.02, 0.05, 0.1}) {
    Random random = simulation::stream("slower " + std::to_string(slower));
    simulation::Rate rate;
    for (std::size_t study = 0; study < 40; ++study) {
      std::vector<SideRun> before, after;
      for (int r = 0; r < 5; ++r) {
        before.push_back(noisy(base, kSpread, random));
        SideRun run = noisy(base, kSpread, random);
        Item& kernel = run.items[largest];
        const auto more = static_cast<std::int64_t>(slower * static_cast<double>(kernel.sums.wall));
        kernel.sums.wall += more;
        run.time += more;
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
