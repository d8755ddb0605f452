// Phases of the start of a process: made ones, and a recorded one whose program measured its phases (phases.json).
#include <fstream>
#include <nlohmann/json.hpp>

#include "plugins/analyzers.hpp"
#include "support/program.hpp"
#include "support/real_data.hpp"
#include "support/test.hpp"

namespace assay::start_phases_test {

using namespace under_test::start_phases;
using namespace testing;

constexpr std::int64_t kMs = 1'000'000;

/// Copies until 120, first call until 200, host code until 700, a graph until 720, a first result at 800 ms.
class StartBuilder : public ReportBuilder {
 public:
  explicit StartBuilder(bool begins = true) {
    if (begins) property("begins_with", "process");
    range("main", 10 * kMs, 95 * kMs);
    range("load", 20 * kMs, 90 * kMs);
    other("cuInit", 100, 101);
    copy(CopyDirection::kHostToDevice, 1'000'000, 110 * kMs, 119 * kMs,
         {.call = call(CallKind::kCopy, 109 * kMs, 110 * kMs)});
    call(CallKind::kDeviceSync, 118 * kMs, 120 * kMs);
    other("cuLibraryLoadData", 125, 126);
    work("k", 130, 190);
    call(CallKind::kDeviceSync, 190 * kMs, 200 * kMs);
    call(CallKind::kDeviceSync, 690 * kMs, 699 * kMs);
    other("cudaStreamBeginCapture", 700, 701);
    other("cudaGraphInstantiate", 710, 715);
    call(CallKind::kStreamSync, 715 * kMs, 720 * kMs);
    work("k", 730, 740);
    call(CallKind::kStreamSync, 740 * kMs, 750 * kMs);
    copy(CopyDirection::kDeviceToHost, 8, 790 * kMs, 791 * kMs, {.call = call(CallKind::kCopy, 789 * kMs, 790 * kMs)});
    call(CallKind::kStreamSync, 790 * kMs, 800 * kMs);
    other("cuModuleLoad", 2000, 2001);  // long after: a function that is used late
    work("k", 2010, 2020);
  }
  void other(const char* name, std::int64_t start, std::int64_t end) {
    call(CallKind::kOther, start * kMs, end * kMs, 0, {.name = name});
  }
  void work(const char* name, std::int64_t start, std::int64_t end) {
    kernel(name, start * kMs, end * kMs, {.call = call(CallKind::kKernelLaunch, start * kMs, (start + 1) * kMs)});
  }
};

double phase(const testing::Recorder& r, const std::string& name) {
  return r.value("start.phase_ns", "phase=" + name).value_or(0) / kMs;
}

TEST(StartPhases, PhasesFollowEachOtherWithoutAGap) {
  StartBuilder b;
  const auto r = analyzed(b.build());
  EXPECT_EQ(r.value("start.time_ns"), 790.0 * kMs);
  EXPECT_EQ(phase(r, "until the GPU is first used"), 90);
  EXPECT_EQ(phase(r, "until the first copy"), 10);
  EXPECT_EQ(phase(r, "first copies to the device"), 10);
  EXPECT_EQ(phase(r, "first kernels"), 80);
  EXPECT_EQ(phase(r, "host code after the first kernels"), 500);
  EXPECT_EQ(phase(r, "capture"), 20);
  EXPECT_EQ(phase(r, "warm-up"), 30);
  EXPECT_EQ(phase(r, "first result"), 50);
  EXPECT_TRUE(r.attributes.empty()) << "most of the profile comes after the start";
}

TEST(StartPhases, KernelsOfTritonTellThatItCompiles) {
  StartBuilder b;
  b.work("triton_poi_fused_add_0", 650, 660);
  EXPECT_EQ(phase(analyzed(b.build()), "compiling"), 500);
}

TEST(StartPhases, ALaterProfileHasNoStart) {
  StartBuilder b(false);
  EXPECT_EQ(analyzed(b.build()).value("start.time_ns"), std::nullopt);
  ReportBuilder no_code;  // a server that was attached to: nothing is loaded
  no_code.property("begins_with", "process");
  no_code.kernel("k", 10, 20, {.call = no_code.call(CallKind::kKernelLaunch, 5, 9)});
  EXPECT_EQ(analyzed(no_code.build()).value("start.time_ns"), std::nullopt);
  StartBuilder begun;  // the program begins the capture itself
  begun.other("cuProfilerStart", 99, 100);
  EXPECT_EQ(analyzed(begun.build()).value("start.time_ns"), std::nullopt);
}

/// The phases of `look --start --json`, in seconds by name; parts of phases are left out.
std::map<std::string, double> phases_of(const std::filesystem::path& place) {
  const Outcome outcome = run_assay(place.parent_path(), {"look", "--start", "--json", place.filename().string()});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::map<std::string, double> phases;
  const auto page = nlohmann::json::parse(outcome.out, nullptr, false);
  for (const auto& part : page["result"]["parts"]) {
    if (part.value("title", "") != "Start of the process") continue;
    for (const auto& row : part["values"]) phases[row[0].get<std::string>()] = row[1].get<double>() / 1e9;
  }
  return phases;
}

/// What the program measured of itself; where the profile cannot part two of its phases, their sum.
TEST(StartPhases, PhasesAreThoseThatTheProgramMeasured) {
  ASSAY_REAL_FILE(profile, "cold", "cold/start.sqlite");
  const std::filesystem::path folder = profile->parent_path();
  const auto measured = nlohmann::json::parse(std::ifstream(folder / "phases.json"))["seconds"];
  const auto sum = [&](std::initializer_list<const char*> names) {
    double seconds = 0;
    for (const char* name : names) seconds += measured[name].get<double>();
    return seconds;
  };
  const auto is_near = [](double value, double expected) { EXPECT_NEAR(value, expected, 0.05 * expected); };
  auto phases = phases_of(folder);
  is_near(phases["until the GPU is first used"], sum({"import", "read weights"}));
  is_near(phases["until the first copy"] + phases["first copies to the device"], sum({"weights to device"}));
  is_near(phases["first kernels"], sum({"first eager call"}));
  is_near(phases["compiling"], sum({"compile"}));
  is_near(phases["compiling"] + phases["first calls after compiling"] + phases["capture"], sum({"compile", "capture"}));
  is_near(phases["warm-up"] + phases["first result"], sum({"warm-up", "first token"}));
  auto without_log = phases_of(*profile);
  is_near(without_log["compiling"], sum({"compile"}));
}

}  // namespace assay::start_phases_test
