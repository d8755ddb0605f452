#include "timeline/path_track.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay {
namespace {

using replay::NodeKind;

StringId name_of(const Report& report, const replay::Graph& graph, const replay::Piece& piece) {
  if (piece.kind != replay::EdgeKind::kDuration) return 0;
  const replay::Node& node = graph.nodes[piece.node];
  if (node.kind == NodeKind::kCall) return report.calls->name.present() ? report.calls->name[node.row] : 0;
  if (node.kind != NodeKind::kKernel && node.kind != NodeKind::kCollective) return 0;
  const KernelTable& kernels = *report.kernels;
  return kernels.short_name.present() ? kernels.short_name[node.row]
         : kernels.name.present()     ? kernels.name[node.row]
                                      : 0;
}

std::vector<PathSlice> slices_of(const Report& report, const replay::Graph& graph, const replay::ReplayTimes& replayed,
                                 const replay::Iteration& iteration) {
  std::vector<PathSlice> out;
  const std::int64_t last = graph.seen[iteration.end];
  std::int64_t at = graph.seen[iteration.begin];
  for (const replay::Piece& piece : replay::critical_path(graph, replayed, iteration)) {
    // Clocks of host and device differ by microseconds, so an end may seem to precede its start.
    const std::int64_t end = std::clamp(graph.seen[piece.to], at, std::max(at, last));
    if (end == at) continue;
    // The calls are in the track of their thread: between two of them lies the code of the same host.
    const bool still_host = piece.part == replay::Part::kHost && !out.empty() && out.back().part == piece.part;
    if (still_host)
      out.back() = {out.back().start, end, piece.part, 0, iteration.number};
    else
      out.push_back({at, end, piece.part, name_of(report, graph, piece), iteration.number});
    at = end;
  }
  return out;
}

}  // namespace

PathTrack::PathTrack(const Report& report) {
  if (report.iterations == nullptr || report.iterations->rows == 0) return;
  if (report.iterations->thread.present()) process_ = report.threads->process[report.iterations->thread[0]];
  try {
    const replay::Graph graph = replay::build(report);  // takes more memory than the report: gone before others begin
    const replay::ReplayTimes replayed = replay::run(graph);
    for (const replay::Iteration& iteration : graph.iterations)
      iterations_.push_back(slices_of(report, graph, replayed, iteration));
  } catch (const std::invalid_argument& problem) {
    lacking_ = problem.what();
  }
}

}  // namespace assay
