// Energy of a stretch of time, from a counter and from readings that lag, and what the analyzer makes of it.
#include <nlohmann/json.hpp>

#include "plugins/analyzers.hpp"
#include "plugins/energy/course.hpp"
#include "plugins/energy/possible_samples.hpp"
#include "support/test.hpp"

namespace assay::energy_test {

using namespace testing;
using energy::PowerSample;
using energy::StretchUse;
using energy::use_of;

/// 100 W for a second, then `watts`; sampled every 100 ms, with the counter or with the average of the last second.
std::vector<PowerSample> course_of(double watts, double until, bool counter) {
  std::vector<PowerSample> out;
  const auto energy = [&](double t) { return 100 * std::min(t, 1.0) + watts * std::max(0.0, t - 1); };
  for (int i = 0; i <= static_cast<int>(until * 10); ++i) {
    const double t = i / 10.0;
    PowerSample sample;
    sample.time_s = t;
    if (counter) sample.energy_j = energy(t);
    sample.power_w = t < 1 ? 100 : energy(t) - energy(t - 1);
    sample.sm_mhz = 1500;
    sample.throttled = t > 2 ? 1 : 0;
    out.push_back(sample);
  }
  return out;
}

TEST(EnergyCourse, CounterIsReadAtBothEnds) {
  const StretchUse use = use_of(course_of(500, 4, true), 1.05, 2.05);
  ASSERT_TRUE(use.joules);
  EXPECT_NEAR(*use.joules, 500, 1e-9);
  EXPECT_NEAR(*use.mean_w, 500, 1e-9);
  EXPECT_EQ(use.samples, 10U);
  EXPECT_EQ(use.sm_mhz, 1500);
}

/// A counter that moves on every 300 ms is known at those times only.
TEST(EnergyCourse, CounterThatRestsIsReadWhereItMovesOn) {
  std::vector<PowerSample> course;
  for (int i = 0; i <= 100; ++i) {
    PowerSample sample;
    sample.time_s = i / 10.0;
    sample.energy_j = 200 * (i / 3) * 0.3;
    course.push_back(sample);
  }
  EXPECT_NEAR(use_of(course, 1, 4).joules.value_or(0), 600, 1e-6);
  const StretchUse brief = use_of(course, 1, 2);
  EXPECT_FALSE(brief.joules) << "three moves";
  EXPECT_TRUE(contains(brief.refused, "moved on 3 times"));
}

TEST(EnergyCourse, ReadingsThatLagAreCorrectedByTheirSecond) {
  const StretchUse use = use_of(course_of(500, 6, false), 1, 4.5);
  ASSERT_TRUE(use.joules) << use.refused;
  EXPECT_NEAR(*use.joules, 500 * 3.5, 1e-6);
  EXPECT_NEAR(*use.throttled_ratio, 25.0 / 36, 1e-9);
}

TEST(EnergyCourse, TooLittleIsRefusedAndNeverZero) {
  EXPECT_FALSE(use_of(course_of(500, 6, false), 1, 2.5).joules) << "less than 2 s of readings that lag";
  EXPECT_FALSE(use_of(course_of(500, 4.2, false), 1, 4).joules) << "no second after it";
  const StretchUse few = use_of(course_of(500, 4, true), 1.01, 1.35);
  EXPECT_FALSE(few.joules);
  EXPECT_EQ(few.samples, 3U);
  EXPECT_FALSE(few.sm_mhz);
  EXPECT_FALSE(use_of({}, 1, 2).joules);
}

/// As the recorder reads it where it cannot afford more: the average of the last second every 50 ms, the counter every
/// 1.7 s.
TEST(EnergyCourse, CounterThatIsReadSeldomIsKnownThroughThePowerInBetween) {
  const auto energy = [](double t) {
    return 100 * t + 400 * (std::clamp(t, 3.0, 9.0) - 3) + 100 * std::max(0.0, t - 9);
  };
  double worst = 0;
  for (int phase = 0; phase < 20; ++phase) {
    std::vector<PowerSample> course;
    for (int i = 0; i <= 240; ++i) {
      PowerSample sample;
      sample.time_s = i / 20.0;
      sample.power_w = sample.time_s < 1 ? 100 : energy(sample.time_s) - energy(sample.time_s - 1);
      const bool steady = (i + 2 * phase) % 34 == 0, last = i == 0 || i == 240;
      if (steady || last) sample.energy_j = energy(std::floor(sample.time_s * 10) / 10);
      course.push_back(sample);
    }
    const StretchUse use = use_of(course, 3.02, 8.52);
    ASSERT_TRUE(use.joules) << use.refused;
    worst = std::max(worst, std::abs(*use.joules / (energy(8.52) - energy(3.02)) - 1));
  }
  EXPECT_LT(worst, 0.02);
}

/// Constant power, so that the recorder reads the counter every 1.7 s: a short stretch is known by the readings alone.
TEST(EnergyCourse, ConstantPowerIsKnownWithoutTheCounter) {
  const auto course_at = [](double swing, double every) {
    std::vector<PowerSample> course;
    for (int i = 0; i * every <= 6; ++i) {
      PowerSample sample;
      sample.time_s = i * every;
      sample.power_w = 400 * (1 + (i % 2 == 0 ? swing : -swing));
      if (i == 0 || i == 34) sample.energy_j = 400 * sample.time_s;
      course.push_back(sample);
    }
    return course;
  };
  const StretchUse use = use_of(course_at(0.01, 0.05), 1.8, 3.1);
  EXPECT_NEAR(use.joules.value_or(0), 400 * 1.3, 4) << use.refused;
  EXPECT_TRUE(contains(use.method, "power readings"));
  EXPECT_TRUE(use.refused.empty());
  EXPECT_FALSE(use_of(course_at(0.04, 0.05), 1.8, 3.1).joules) << "power that varies";
  EXPECT_FALSE(use_of(course_at(0.01, 0.5), 1.2, 2.9).joules) << "readings too far apart";
}

/// Four phases of an H100 whose counter is known: average power alone is 10 to 12 % low in three of them. No second was
/// sampled after the last.
TEST(EnergyCourse, IsWithinTwoPercentOfTheCounterForRealReadings) {
  ASSAY_REAL_FILE(found, "power", ".");
  const std::filesystem::path folder = *found;
  std::vector<PowerSample> course;
  std::ifstream in(folder / "power.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string time, power;
    std::getline(cells, time, ',');
    std::getline(cells, power, ',');
    PowerSample sample;
    sample.time_s = std::stod(time) / 1e9;
    sample.power_w = std::stod(power) / 1e3;
    course.push_back(sample);
  }
  const auto phases = nlohmann::json::parse(read_text(folder / "power.json"));
  ASSERT_EQ(phases.size(), 4U);
  for (const auto& phase : phases) {
    const StretchUse use = use_of(course, phase["begin_ns"].get<double>() / 1e9, phase["end_ns"].get<double>() / 1e9);
    ASSERT_EQ(use.joules.has_value(), phase != phases.back()) << phase["phase"] << use.refused;
    if (!use.joules) continue;
    const double ratio = *use.joules / (phase["energy_mj"].get<double>() / 1e3);
    EXPECT_NEAR(ratio, 1, 0.02) << phase["phase"];
  }
}

struct Damage {
  const char* name;
  void (*apply)(std::vector<PowerSample>& course);
  std::size_t energy::ImpossibleReadings::* counted;
  std::size_t count;
};

class DamagedSamples : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedSamples, AreLeftOutAndCountedAndTheEnergyStays) {
  std::vector<PowerSample> course = course_of(500, 6, true);
  GetParam().apply(course);
  energy::ImpossibleReadings impossible;
  energy::leave_out_impossible(course, impossible);
  EXPECT_EQ(impossible.*GetParam().counted, GetParam().count);
  EXPECT_EQ(impossible.clauses().size(), GetParam().count > 0 ? 1U : 0U);
  const StretchUse use = use_of(course, 1.05, 5.05);
  ASSERT_TRUE(use.joules) << use.refused;
  EXPECT_NEAR(*use.joules, 2000, 20);
  EXPECT_NEAR(*use.mean_w, 500, 5);
  EXPECT_EQ(use.sm_mhz, 1500);
}

using Impossible = energy::ImpossibleReadings;
using Course = std::vector<PowerSample>;
INSTANTIATE_TEST_SUITE_P(
    Energy, DamagedSamples,
    ::testing::Values(Damage{"sound", [](Course&) {}, &Impossible::energies, 0},
                      Damage{"reversed", [](Course& c) { std::ranges::reverse(c); }, &Impossible::times, 0},
                      Damage{"time_0", [](Course& c) { c[30].time_s = 0; }, &Impossible::times, 1},
                      Damage{"last_time_0", [](Course& c) { c.back().time_s = 0; }, &Impossible::times, 1},
                      Damage{"every_seventh_late",
                             [](Course& c) {
                               for (std::size_t i = 0; i < c.size(); i += 7) c[i].time_s += 0.35;
                             },
                             &Impossible::times, 9},
                      Damage{"twice", [](Course& c) { c.insert(c.begin() + 30, c[30]); }, &Impossible::times, 1},
                      Damage{"energy_falls", [](Course& c) { c[30].energy_j = 3; }, &Impossible::energies, 1},
                      Damage{"energy_leaps", [](Course& c) { c[30].energy_j = 1e16; }, &Impossible::energies, 1},
                      Damage{"last_energy_leaps", [](Course& c) { c.back().energy_j = 1e8; }, &Impossible::energies, 1},
                      Damage{"first_energy_is_0",
                             [](Course& c) {
                               for (PowerSample& sample : c) *sample.energy_j += 1e6;
                               c.front().energy_j = 0;
                             },
                             &Impossible::energies, 1},
                      Damage{"power", [](Course& c) { c[30].power_w = -40; }, &Impossible::powers, 1},
                      Damage{"clock_0", [](Course& c) { c[30].sm_mhz = 0; }, &Impossible::clocks, 1},
                      Damage{"clock_below_0", [](Course& c) { c[30].sm_mhz = -1755; }, &Impossible::clocks, 1},
                      Damage{"clock_above_all", [](Course& c) { c[30].sm_mhz = 1e12; }, &Impossible::clocks, 1},
                      Damage{"throttled", [](Course& c) { c[30].throttled = 7; }, &Impossible::ratios, 1}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(Energy, IsThatOfTheRunsOwnSamplesPerIteration) {
  StudyBuilder s;
  s.report("block_001/run_a.sqlite", {})
      .attribute("energy.window", "1000000000000 1001000000000")
      .fact("iteration.count", 10);
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i <= 20; ++i) {
    const std::string time = std::to_string(999500000000LL + i * 100000000LL);
    rows.push_back({"block_001/run_a", time, std::to_string(50000 + i * 30000), "0"});
    rows.push_back({"block_001/run_b", time, std::to_string(50000 + i * 90000), "1"});
  }
  s.sheet("power", "power.csv", {"run", "time_ns", "energy_mj", "throttled"}, rows);
  const Recorder r = under_test::energy::concluded(s.build());
  const auto value = [&](const char* metric) { return r.value(metric, "", 0).value_or(-1); };
  EXPECT_NEAR(value("energy.joule"), 300, 1e-6);
  EXPECT_NEAR(value("energy.joule_per_iteration"), 30, 1e-6);
  EXPECT_NEAR(value("power.mean_w"), 300, 1e-6);
  EXPECT_EQ(value("power.samples"), 11);
  EXPECT_EQ(value("throttled_ratio"), 0);
}

using Rows = std::vector<std::vector<std::string>>;

/// nvidia-smi --query-gpu=timestamp,index,power.draw,clocks.sm,clocks_event_reasons.active --format=csv: local times
/// (an hour ahead of UTC), units in cells, one row every 100 ms from 1000 s on; the GPU takes 300 W.
Rows nvidia_smi(const char* gpu) {
  Rows rows;
  for (int i = 0; i <= 80; ++i) {
    char time[40];
    std::snprintf(time, sizeof time, "1970/01/01 01:16:%02d.%d00", 40 + i / 10, i % 10);
    rows.push_back({time, gpu, "300.00 W", "1410 MHz", i < 40 ? "0x0000000000000000" : "0x0000000000000004"});
  }
  return rows;
}
const std::vector<std::string> kNvidiaSmi = {"timestamp", "index", "power.draw [W]", "clocks.current.sm [MHz]",
                                             "clocks_event_reasons.active"};

TEST(Energy, ReadsWhatNvidiaSmiWrites) {
  StudyBuilder s;
  s.report("a", {}).attribute("energy.window", "1002000000000 1006000000000").fact("iteration.count", 10);
  s.sheet("power", "gpu.csv", kNvidiaSmi, nvidia_smi("0"));
  const Recorder r = under_test::energy::concluded(s.build());
  EXPECT_NEAR(r.value("energy.joule_per_iteration", "", 0).value_or(-1), 120, 0.1);
  EXPECT_EQ(r.value("clock.sm_mhz", "", 0), 1410);
  EXPECT_NEAR(r.value("throttled_ratio", "", 0).value_or(-1), 0.5, 0.02);
}

TEST(Energy, FindsTimesInTheColumnTime) {
  StudyBuilder s;
  s.report("a", {}).attribute("energy.window", "1002000000000 1006000000000").fact("iteration.count", 10);
  std::vector<std::string> columns = kNvidiaSmi;
  columns[0] = "time";
  s.sheet("power", "gpu.csv", columns, nvidia_smi("0"));
  EXPECT_NEAR(under_test::energy::concluded(s.build()).value("energy.joule", "", 0).value_or(-1), 1200, 1);
}

TEST(Energy, IsUnknownIfARunHasOneOfSeveralGpus) {
  StudyBuilder s;
  s.report("a", {}).attribute("energy.window", "1002000000000 1006000000000");
  Rows rows = nvidia_smi("0");
  for (auto& row : nvidia_smi("1")) rows.push_back(row);
  s.sheet("power", "gpu.csv", kNvidiaSmi, rows);
  const Recorder r = under_test::energy::concluded(s.build());
  EXPECT_TRUE(r.facts.empty());
  EXPECT_FALSE(r.skips.empty());
}

/// amd-smi metric --csv --watch: whole seconds, power of the moment, and the counter in joules.
TEST(Energy, ReadsWhatAmdSmiWrites) {
  for (const bool counter : {true, false}) {
    StudyBuilder s;
    s.report("a", {}).attribute("energy.window", "1002500000000 1012500000000").fact("iteration.count", 10);
    Rows rows;
    for (int i = 0; i <= 20; ++i)
      rows.push_back(
          {std::to_string(1000 + i), "0", "700", "UNTHROTTLED", "2100", counter ? std::to_string(700 * i) : "N/A"});
    s.sheet("power", "amd.csv",
            {"timestamp", "gpu", "socket_power", "throttle_status", "gfx_0_clk", "total_energy_consumption"}, rows);
    const Recorder r = under_test::energy::concluded(s.build());
    EXPECT_NEAR(r.value("energy.joule", "", 0).value_or(-1), 7000, 1) << counter;
    EXPECT_EQ(r.value("throttled_ratio", "", 0), 0);
  }
}

/// Runs of one cell with their times and the share of their samples that was throttled (below 0: samples do not say);
/// each takes 300 W.
Recorder runs_of(const std::vector<std::pair<double, double>>& runs, double tokens_per_s = 0) {
  StudyBuilder s;
  Rows rows;
  for (std::size_t n = 0; n < runs.size(); ++n) {
    const std::string name = "block_00" + std::to_string(n + 1) + "/run";
    auto& report = s.report(name + ".sqlite", {});
    report.attribute("energy.window", "1000000000000 1002000000000").fact("iteration.period_ns", runs[n].first);
    if (tokens_per_s > 0) report.fact("serving.tokens_per_s", tokens_per_s);
    for (int i = 0; i <= 40; ++i)
      rows.push_back({name, std::to_string(999000000000LL + i * 100000000LL), std::to_string(i * 30000),
                      runs[n].second < 0        ? ""
                      : i < 40 * runs[n].second ? "1"
                                                : "0"});
  }
  s.sheet("power", "power.csv", {"run", "time_ns", "energy_mj", "throttled"}, rows);
  return under_test::energy::concluded(s.build());
}

std::size_t causes_in(const Recorder& r) {
  return static_cast<std::size_t>(
      std::ranges::count_if(r.findings, [](const auto& f) { return contains(f.title, "because it was throttled"); }));
}

TEST(Energy, ThrottlingIsTheCauseOfAnOutlierIfOnlyThatRunWasThrottled) {
  EXPECT_EQ(causes_in(runs_of({{1e6, 0}, {1.01e6, 0}, {0.99e6, 0}, {1.3e6, 1}})), 1U);
  EXPECT_EQ(causes_in(runs_of({{1e6, 0}, {1.01e6, 0}, {0.99e6, 0}, {1.3e6, 0}})), 0U) << "slow for another reason";
  EXPECT_EQ(causes_in(runs_of({{1e6, -1}, {1.01e6, 0}, {0.99e6, 0}, {1.3e6, 1}})), 0U) << "who knows of the first?";
  EXPECT_EQ(causes_in(runs_of({{1e6, 1}, {1.01e6, 1}, {0.99e6, 1}, {1.3e6, 1}})), 0U) << "all were throttled";
  EXPECT_EQ(causes_in(runs_of({{1e6, 0}, {1.01e6, 0}, {0.99e6, 1}})), 0U) << "throttled, and as fast";
}

TEST(Energy, PerTokenIsPowerOverRate) {
  const Recorder r = runs_of({{1e6, 0}}, 600);
  EXPECT_NEAR(r.value("energy.joule_per_token", "", 0).value_or(-1), 0.5, 1e-6);
}

TEST(Energy, ARunThatDoesNotSayWhetherItWasThrottledIsSaidBesideOneThatWas) {
  const auto text = [](const char* of_a, const char* of_b) {
    StudyBuilder s;
    std::vector<std::vector<std::string>> rows;
    for (const char* run : {"run_a", "run_b"}) {
      s.report(std::string(run) + ".sqlite", {}).attribute("energy.window", "1000000000000 1001000000000");
      for (int i = 0; i <= 20; ++i)
        rows.push_back({run, std::to_string(999500000000LL + i * 100000000LL), std::to_string(50000 + i * 30000),
                        run == std::string("run_a") ? of_a : of_b});
    }
    s.sheet("power", "power.csv", {"run", "time_ns", "energy_mj", "throttled"}, rows);
    return finding(under_test::energy::concluded(s.build()), "Energy of 2 of 2 runs").text;
  };
  EXPECT_TRUE(contains(text("1", ""), "1 run ran below its clock for power or heat: run_a.sqlite"));
  EXPECT_TRUE(contains(text("1", ""), "; of 1 run it is not known"));
  EXPECT_TRUE(contains(text("0", ""), "No run is known to have been throttled; of 1 run it is not known"));
  EXPECT_FALSE(contains(text("0", "0"), "known to have")) << "all known";
  EXPECT_FALSE(contains(text("", ""), "it is not known")) << "nobody sampled it";
}

TEST(Energy, HasNoFactWithoutSamples) {
  StudyBuilder s;
  s.report("a", {}).attribute("energy.window", "1000000000000 1001000000000");
  const Recorder r = under_test::energy::concluded(s.build());
  EXPECT_TRUE(r.facts.empty());
  EXPECT_FALSE(r.skips.empty());
}

}  // namespace assay::energy_test
