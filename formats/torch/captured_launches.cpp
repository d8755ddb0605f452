#include <algorithm>
#include <map>

#include "formats/torch/derived_tables.hpp"

namespace assay::load {
namespace {

struct Capture {
  std::int64_t start = 0, end = 0;
  std::uint32_t thread = 0;
};

/// The stream captures of each thread from begin to end, sorted by start.
std::vector<Capture> captures_of(const CallTable& calls, TableSink& sink) {
  std::vector<Capture> out;
  if (!calls.name.present()) return out;
  std::map<std::uint32_t, std::int64_t> begun;
  for (std::size_t c = 0; c < calls.rows; ++c) {
    const std::string_view name = sink.text(calls.name[c]).view();
    if (name.find("StreamBeginCapture") != std::string_view::npos)
      begun.insert_or_assign(calls.thread[c], calls.start[c]);
    if (name.find("StreamEndCapture") == std::string_view::npos) continue;
    const auto at = begun.find(calls.thread[c]);
    if (at == begun.end()) continue;
    out.push_back({at->second, calls.end[c], calls.thread[c]});
    begun.erase(at);
  }
  std::ranges::sort(out, {}, &Capture::start);
  return out;
}

/// The capture that contains a call; kNoCell: none. Captures of one thread do not overlap.
std::int64_t capture_of(const std::vector<Capture>& captures, const CallTable& calls, std::size_t call) {
  auto at = std::ranges::upper_bound(captures, calls.start[call], {}, &Capture::start);
  constexpr int kMaxThreads = 64;
  for (int i = 0; at != captures.begin() && i < kMaxThreads; ++i) {
    --at;
    if (at->thread == calls.thread[call]) return calls.end[call] <= at->end ? at - captures.begin() : kNoCell;
  }
  return kNoCell;
}

}  // namespace

void derive_captured_launches(const Report& report, Tables& out) {
  if (report.calls == nullptr || report.calls->rows == 0) return;
  const CallTable& calls = *report.calls;
  const auto launched = out.links<StringId>(col::calls, LinkColumn::kLaunched, calls.rows);
  std::vector<char> ran(calls.rows, 0);
  for (std::size_t k = 0; report.kernels != nullptr && k < report.kernels->rows; ++k) {
    if (const Row call = report.kernels->call[k]; call >= 0) ran[static_cast<std::size_t>(call)] = 1;
  }
  const std::vector<Capture> captures = captures_of(calls, out.sink());
  std::vector<std::size_t> found;
  std::vector<std::int64_t> capture_numbers;
  for (std::size_t c = 0; c < calls.rows; ++c) {
    if (calls.kind[c] != CallKind::kKernelLaunch || ran[c] != 0) continue;
    const std::int64_t capture = captures.empty() ? kNoCell : capture_of(captures, calls, c);
    if (launched[c] == 0 && capture == kNoCell) continue;  // CUDA launches do not name their kernel
    found.push_back(c);
    capture_numbers.push_back(capture);
  }
  if (found.empty()) return;
  DeclaredRows rows = out.declared(kCapturedLaunchTable.name.view(), found.size());
  std::ranges::transform(found, rows.integers("time").begin(), [&](std::size_t c) { return calls.start[c]; });
  std::ranges::copy(found, rows.integers("call").begin());
  std::ranges::transform(found, rows.texts("kernel").begin(), [&](std::size_t c) { return launched[c]; });
  if (!captures.empty()) std::ranges::copy(capture_numbers, rows.integers("capture").begin());
}

}  // namespace assay::load
