#include "check/growth.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

#include "assay/quantity.hpp"

namespace assay::check {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The least of several times, of the processor's own clock: neighbours only ever make it longer.
double least_time(const Subject& subject, const Report& report, int rounds) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const double before = cpu_seconds();
    static_cast<void>(subject.analyze(report));
    least = std::min(least, cpu_seconds() - before);
  }
  return least;
}

}  // namespace

Reply growth(const Subject& subject, const Report& small, const Report& large) {
  constexpr double kTooMuch = 8, kCheap = 0.02;
  double of_small = least_time(subject, small, 2), of_large = least_time(subject, large, 1);
  if (of_large > kCheap && of_large > kTooMuch * of_small) {  // once more, should it have been the machine
    of_small = std::max(of_small, least_time(subject, small, 2));
    of_large = std::min(of_large, least_time(subject, large, 1));
  }
  const std::string words = quantity(of_small * 1e9, "ns") + " for " + std::to_string(small.kernels->rows) +
                            " kernels, " + quantity(of_large * 1e9, "ns") + " for " +
                            std::to_string(large.kernels->rows);
  if (of_large <= kCheap || of_large <= kTooMuch * of_small) return {Answer::kOk, words};
  return {Answer::kFailed, words + ": 4 times the rows take " + fixed(of_large / of_small, 1) +
                               " times as long; is there a loop over all rows within a loop?"};
}

}  // namespace assay::check
