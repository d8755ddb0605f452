#include "app/bench_cost.hpp"

#include <chrono>

#include "analyze/one_report.hpp"
#include "cache/bytes.hpp"
#include "isolate/contained.hpp"
#include "isolate/peak_memory.hpp"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const auto& work) {
  const Clock::time_point from = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - from).count();
}

/// The least that anything costs that looks at every kernel: copies start and end, and adds up the times between them.
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

Cost measure_cost(const Descriptor& declared, const Analyzer& analyzer, const Report& report, unsigned runs) {
  Cost cost;
  cost.kernels = report.kernels == nullptr ? 0 : report.kernels->rows;
  const isolate::PeakMemory memory;
  const AnalyzerOutput output = run_analyzer(declared, analyzer, report);
  cost.memory = memory.bytes();
  for (const Skip& skip : output.skips) {
    if (skip.failed || output.lacking) cost.problem = skip.reason;
  }
  volatile std::int64_t kept = 0;  // so that the pass is not left out
  for (unsigned run = 0; run < runs && cost.problem.empty(); ++run) {
    cost.pass.push_back(seconds_of([&] { kept = plain_pass(report.kernels); }));
    cost.seconds.push_back(seconds_of([&] { run_analyzer(declared, analyzer, report); }));
  }
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
  const isolate::Limits limits{std::chrono::hours(1), 0};
  const isolate::Outcome outcome = isolate::contained(limits, [&] { return to_bytes(work()); }, &stop);
  if (outcome.fate == isolate::Fate::kDone) return from_bytes(outcome.answer);
  Cost cost;
  cost.problem = what_happened(outcome, limits);
  return cost;
}

}  // namespace assay
