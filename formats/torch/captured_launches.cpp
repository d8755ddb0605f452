#include "formats/torch/captured_launches.hpp"

#include <algorithm>
#include <map>

#include "load/captures.hpp"

namespace assay::load {
namespace {

struct Capture {
  std::int64_t start = 0, end = 0;
  std::uint32_t thread = 0;
};

/// The stream captures of each thread from begin to end, sorted by start.
std::vector<Capture> captures_of(const Profile::Store& store) {
  std::vector<Capture> out;
  const CallRows& calls = *store.calls;
  if (!calls.name.present()) return out;
  std::map<std::uint32_t, std::int64_t> begun;
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    const std::string_view name = store.strings[calls.name[c]];
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
std::int64_t capture_of(const std::vector<Capture>& captures, const CallRows& calls, std::size_t call) {
  auto at = std::ranges::upper_bound(captures, calls.start[call], {}, &Capture::start);
  constexpr int kMaxThreads = 64;
  for (int i = 0; at != captures.begin() && i < kMaxThreads; ++i) {
    --at;
    if (at->thread == calls.thread[call]) return calls.end[call] <= at->end ? at - captures.begin() : kNoCell;
  }
  return kNoCell;
}

}  // namespace

void add_captured_launches(Profile::Store& store, const WantedColumns& wanted) {
  if (!store.calls || !store.calls->full_name.present()) return;
  const CallRows& calls = *store.calls;
  std::vector<char> ran(calls.rows(), 0);
  if (store.kernels && store.kernels->call.present()) {
    for (const Row call : store.kernels->call.values())
      if (call >= 0) ran[static_cast<std::size_t>(call)] = 1;
  }
  DeclaredTableRows table;
  table.spec = &kCapturedLaunches;
  for (const ColumnSpec& column : kCapturedLaunches.columns) table.columns.emplace_back().spec = &column;
  const std::vector<Capture> captures = captures_of(store);
  table.columns[0].integers.make_present(0);
  table.columns[1].integers.make_present(0);
  table.columns[2].texts.make_present(0);
  if (!captures.empty()) table.columns[3].integers.make_present(0);
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    if (calls.kind[c] != CallKind::kKernelLaunch || ran[c] != 0) continue;
    const std::int64_t capture = captures.empty() ? kNoCell : capture_of(captures, calls, c);
    if (calls.full_name[c] == 0 && capture == kNoCell) continue;  // CUDA launches do not name their kernel
    table.columns[0].integers.push(calls.start[c]);
    table.columns[1].integers.push(static_cast<std::int64_t>(c));
    table.columns[2].texts.push(calls.full_name[c]);
    if (!captures.empty()) table.columns[3].integers.push(capture);
    ++table.rows;
  }
  store.calls->full_name.drop();
  if (table.rows > 0 && wanted.table(col::declared)) store.declared.push_back(std::move(table));
}

}  // namespace assay::load
