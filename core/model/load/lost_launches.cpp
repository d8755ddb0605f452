// Finds launches whose kernels are missing: a profiler that lost records reports it in a log at most.
#include <fmt/core.h>

#include <algorithm>

#include "load/arrange.hpp"
#include "load/link.hpp"

namespace assay::load {
namespace {

/// Launches into a graph that is being captured run no kernel.
bool captures_graphs(const Profile::Store& store) {
  return std::ranges::any_of(store.strings.all(), [](const auto& text) {
    return std::string_view(text).find("StreamBeginCapture") != std::string_view::npos;
  });
}

}  // namespace

void note_lost_launches(const CallLinker& linker, Profile::Store& store) {
  constexpr double kMinShare = 0.01;  // the last launches of a capture often come too late for their kernels
  if (!store.kernels || store.kernels->rows() == 0 || !store.calls || store.calls_left_out) return;
  const CallRows& calls = *store.calls;
  const CallIds ids(calls);
  const auto& kinds = calls.kind.values();
  const bool graphs = std::ranges::find(kinds, CallKind::kGraphLaunch) != kinds.end() || store.graphs;
  if (!ids.present() || graphs) return;
  std::vector<std::uint8_t> ran(calls.rows(), 0);
  for (const Row call : store.kernels->call.values()) {
    if (call != kNone) ran[static_cast<std::size_t>(call)] = 1;
  }
  std::size_t launches = 0, first_ran = calls.rows(), last_ran = 0;
  std::vector<Row> lost;
  for (std::size_t c = 0; c < calls.rows(); ++c) {
    if (kinds[c] != CallKind::kKernelLaunch) continue;
    const Row head = ran[c] != 0 || ids[c] <= 0
                         ? static_cast<Row>(c)
                         : linker.first(store.threads.process_of_thread(calls.thread[c]), ids[c]);
    if (head != static_cast<Row>(c)) continue;  // the driver's call for a launch that the runtime made
    ++launches;
    if (ran[c] != 0) {
      first_ran = std::min(first_ran, c);
      last_ran = c;
    } else {
      lost.push_back(static_cast<Row>(c));
    }
  }
  const auto count = static_cast<double>(lost.size()), all = static_cast<double>(launches);
  if (lost.size() < 2 || count < kMinShare * all || lost.size() == launches || captures_graphs(store)) return;
  const auto first_lost = static_cast<std::size_t>(lost.front()), last_lost = static_cast<std::size_t>(lost.back());
  const bool at_an_end = last_lost < first_ran || first_lost > last_ran;
  const char* where = last_lost < first_ran ? ", all before the first that has one"
                      : at_an_end           ? ", all after the last that has one"
                                            : ", throughout the capture";
  const auto seconds = [&](std::int64_t time) { return static_cast<double>(time - calls.start[0]) / 1e9; };
  store.issues.push_back(
      {"launches_without_kernels", Severity::kWarning, static_cast<std::int64_t>(lost.size()),
       fmt::format("{} of {} kernel launches ({:.0f} %) have no kernel{} (from {:.3f} s to {:.3f} s after the first "
                   "call): the profiler lost them, {}.",
                   lost.size(), launches, 100 * count / all, where, seconds(calls.start[first_lost]),
                   seconds(calls.end[last_lost]),
                   at_an_end ? "and that part is not measured" : "so the GPU looks less busy there than it was")});
  store.lost_launches = std::move(lost);
}

}  // namespace assay::load
