#include "check/growth.hpp"

#include <fmt/core.h>
#include <malloc.h>

#include <limits>

#include "assay/quantity.hpp"

namespace assay::check {
namespace {

constexpr double kTooMuch = 8;   ///< between 4 and 16, see growth.hpp
constexpr double kCertain = 12;  ///< beyond any disturbance of a factor of 4
constexpr int kTimesTheRows = 4;

std::string amount_text(double amount, bool instructions) {
  return instructions ? fixed(amount / 1e6, 1) + " million instructions" : quantity(amount * 1e9, "ns");
}

}  // namespace

CaseReply growth_reply(const Growth& found, bool instructions, std::size_t small_rows, std::size_t large_rows) {
  const double cheap = instructions ? 5e7 : 0.02;
  const std::string words = fmt::format("{} for {} kernels, {} for {}", amount_text(found.small, instructions),
                                        small_rows, amount_text(found.large, instructions), large_rows);
  if (found.large <= cheap || found.factor() <= kTooMuch) return {CaseStatus::kOk, words};
  const std::string factor = fmt::format("{}: 4 times the rows take {} times as much", words, fixed(found.factor(), 1));
  if (found.busy && found.factor() < kCertain)
    return {CaseStatus::kWarned, "the machine is too busy to tell: " + factor + "; check again when it is idle"};
  return {CaseStatus::kFailed, factor + "; is there a loop over all rows within a loop?"};
}

CaseReply growth(const Subject& subject, const Report& small, const Report& large) {
  // glibc returns blocks of more than 32 MB at once and takes them anew, page by page: only the large report would pay
  // for that, three times the analyzer's own time where pages are dear.
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  WorkMeter meter;
  const auto analyze = [&subject](const Report& report) {
    return [&subject, &report] { static_cast<void>(subject.analyze(report)); };
  };
  CaseReply reply;
  for (int tries = 0; tries < 2; ++tries) {  // repeats once, in case the machine was the reason
    const Growth found = measure_growth(meter, analyze(small), analyze(large), kTimesTheRows, kTooMuch);
    reply = growth_reply(found, meter.counts_instructions(), small.kernels->rows, large.kernels->rows);
    if (reply.answer == CaseStatus::kOk || meter.counts_instructions()) break;
  }
  return reply;
}

}  // namespace assay::check
