#include "check/bench_cost.hpp"

#include <chrono>
#include <ctime>

#include "analyze/one_report.hpp"
#include "cache/bytes.hpp"
#include "process/contained.hpp"
#include "process/peak_memory.hpp"

namespace assay {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(const auto& work) {
  const double from = cpu_seconds();
  work();
  return cpu_seconds() - from;
}

/// Lower bound for anything that reads every kernel: copies start and end, and adds up the times between them.
std::int64_t plain_pass(const KernelTable* kernels) {
  if (kernels == nullptr) return 0;
  std::vector<std::int64_t> start(kernels->start.begin(), kernels->start.end());
  const std::vector<std::int64_t> end(kernels->end.begin(), kernels->end.end());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = end[i] - start[i];
  std::int64_t sum = 0;
  for (const std::int64_t time : start) sum += time;
  return sum;
}

}  // namespace

namespace {

Cost measure(const std::function<std::string()>& stage, const std::function<void()>& pass, unsigned runs) {
  constexpr unsigned kMaxRuns = 50;
  constexpr double kLongEnough = 0.1;  // s, all runs together
  Cost cost;
  const process::PeakMemory memory;
  cost.problem = stage();
  cost.memory = memory.bytes();
  double all = 0;
  for (unsigned run = 0; cost.problem.empty() && (run < runs || (run < kMaxRuns && all < kLongEnough)); ++run) {
    if (pass) cost.pass.push_back(seconds_of(pass));
    all += cost.seconds.emplace_back(seconds_of(stage));
  }
  return cost;
}

}  // namespace

Cost measure_stage(const std::function<std::string()>& stage, unsigned runs) { return measure(stage, {}, runs); }

Cost measure_cost(const Descriptor& declared, const Analyzer& analyzer, const Report& report, unsigned runs) {
  volatile std::int64_t kept = 0;  // so that the pass is not optimized away
  const auto analyze = [&]() -> std::string {
    const AnalyzerOutput output = run_analyzer(declared, analyzer, report);
    for (const Skip& skip : output.skips) {
      if (skip.failed || output.lacking) return skip.reason;
    }
    return {};
  };
  Cost cost = measure(analyze, [&] { kept = plain_pass(report.kernels); }, runs);
  cost.kernels = report.kernels == nullptr ? 0 : report.kernels->rows;
  return cost;
}

namespace {

std::string to_bytes(const Cost& cost) {
  cache::ByteWriter to;
  to.number(cost.kernels);
  to.number(cost.memory);
  to.reals(cost.seconds);
  to.reals(cost.pass);
  to.text(cost.problem);
  return to.bytes();
}

Cost from_bytes(std::string_view bytes) {
  cache::ByteReader from(bytes);
  Cost cost;
  cost.kernels = from.number();
  cost.memory = from.number();
  cost.seconds = from.reals();
  cost.pass = from.reals();
  cost.problem = from.text();
  return cost;
}

}  // namespace

Cost measured_apart(const std::function<Cost()>& work, const std::atomic<bool>& stop) {
  const process::Limits limits{std::chrono::hours(1), 0};
  const process::Outcome outcome = process::contained(limits, [&] { return to_bytes(work()); }, &stop);
  if (outcome.answer) return from_bytes(*outcome.answer);
  Cost cost;
  cost.problem = what_happened(outcome, limits);
  return cost;
}

}  // namespace assay
