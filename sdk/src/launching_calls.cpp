#include "assay/detail/launching_calls.hpp"

namespace assay::detail {

LaunchingCalls::LaunchingCalls(const Report& report)
    : words_(report.calls == nullptr ? 0 : (static_cast<std::size_t>(report.calls->rows) + kBits - 1) / kBits, 0) {
  const auto mark = [&](const auto* work) {
    if (work == nullptr || !work->call.present() || words_.empty()) return;
    for (std::size_t w = 0; w < work->rows; ++w) {
      if (const Row call = work->call[w]; call >= 0)
        words_[static_cast<std::size_t>(call / kBits)] |= std::uint64_t{1} << (call % kBits);
    }
  };
  mark(report.kernels);
  mark(report.graphs);
  mark(report.copies);
  mark(report.sets);
  before_.reserve(words_.size() + 1);
  before_.push_back(0);
  for (const std::uint64_t word : words_)
    before_.push_back(before_.back() + static_cast<std::uint32_t>(std::popcount(word)));
}

}  // namespace assay::detail
