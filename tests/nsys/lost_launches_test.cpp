// Launches whose kernels the profiler lost: said, and what they hit is not measured.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay {
namespace lost_launches_test {

constexpr std::int64_t kStep = 1000, kLaunches = 10;

/// Ten steps of ten launches of 1 us each with a kernel of 60 ns, which `lost(step, launch)` have not.
template <class Lost>
std::filesystem::path steps(MadeExport& made, Lost lost) {
  made.with_kernels().with_calls().with_ranges();
  for (int step = 0, id = 1; step < 10; ++step) {
    const std::int64_t begin = 10'000 + step * kStep;
    made.range(begin, begin + kStep - 50, "step_" + std::to_string(step), tid(1, 1));
    for (int launch = 0; launch < kLaunches; ++launch, ++id) {
      const std::int64_t start = begin + 5 + launch * 90;
      made.call(start, start + 5, tid(1, 1), id);
      if (!lost(step, launch)) made.kernel(start + 10, start + 70, pid(1), id);
    }
  }
  return made.write();
}

std::vector<std::int64_t> numbers(const LoadedView& loaded) {
  const IterationTable* iterations = loaded.report().iterations;
  if (iterations == nullptr) return {};
  return {iterations->number.begin(), iterations->number.end()};
}

TEST(LostLaunches, AtTheBeginningAreNotMeasured) {
  MadeExport made;
  const LoadedView loaded(steps(made, [](int step, int) { return step < 4; }), {}, {"step_{i}"});
  const Window& window = *loaded.report().window;
  EXPECT_EQ(window.named, 2U);
  EXPECT_EQ(window.start, 13'000 + 5 + 9 * 90 + 5) << "the end of the last launch without a kernel";
  EXPECT_EQ(window.end, 19'000 + 5 + 9 * 90 + 70) << "the end of the last kernel";
  EXPECT_TRUE(equals(numbers(loaded), {4, 5, 6, 7, 8, 9})) << "the last range ends after the last call";
  EXPECT_EQ(loaded.issue("launches_without_kernels"), 40);
  EXPECT_EQ(loaded.issue("iterations_without_kernels"), 4);
  EXPECT_EQ(loaded.report().calls->rows, 100U) << "rows stay";
}

TEST(LostLaunches, AtTheEndAreNotMeasured) {
  MadeExport made;
  const LoadedView loaded(steps(made, [](int step, int) { return step >= 8; }), {}, {"step_{i}"});
  EXPECT_EQ(loaded.report().window->start, 10'005);
  EXPECT_EQ(loaded.report().window->end, 18'005) << "the start of the first launch without a kernel";
  EXPECT_TRUE(equals(numbers(loaded), {0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(LostLaunches, InTheMiddleTakeTheirIterationsOut) {
  MadeExport made;
  const LoadedView loaded(steps(made, [](int step, int launch) { return (step == 3 || step == 5) && launch == 2; }), {},
                          {"step_{i}"});
  EXPECT_EQ(loaded.report().window->named, 0U);
  EXPECT_TRUE(equals(numbers(loaded), {0, 1, 2, 4, 6, 7, 8, 9}));
  EXPECT_EQ(loaded.issue("iterations_without_kernels"), 2);
}

TEST(LostLaunches, InAllIterationsLeaveThemAsTheyAre) {
  MadeExport made;
  const LoadedView loaded(steps(made, [](int, int launch) { return launch == 2; }), {}, {"step_{i}"});
  EXPECT_EQ(numbers(loaded).size(), 10U);
  EXPECT_EQ(loaded.issue("iterations_without_kernels"), std::nullopt);
  EXPECT_EQ(loaded.issue("launches_without_kernels"), 10);
}

TEST(LostLaunches, OneOfManyChangesNothing) {
  MadeExport made;
  const LoadedView loaded(steps(made, [](int step, int launch) { return step == 9 && launch == 9; }), {}, {"step_{i}"});
  EXPECT_EQ(loaded.report().window->named, 0U);
  EXPECT_EQ(numbers(loaded).size(), 10U);
}

}  // namespace lost_launches_test
}  // namespace assay
