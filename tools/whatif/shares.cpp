#include "whatif/shares.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "assay/algo/named_ranges.hpp"

namespace assay::whatif {
namespace {

using replay::NodeKind;

class PathNames {
 public:
  explicit PathNames(const Run& run) : run_(run), report_(run.report()) {}

  std::vector<Candidate> candidates() {
    for (const replay::Iteration& iteration : run_.graph.iterations) {
      for (const replay::Piece& piece : replay::critical_path(run_.graph, run_.base, iteration)) add(piece);
    }
    std::vector<Candidate> out;
    const double iterations = static_cast<double>(std::max<std::size_t>(1, run_.graph.iterations.size()));
    const auto add_scaled = [&](const char* what, const Times& times) {
      for (const auto& [name, time] : times) {
        Result<ChangeRequest> change = read_scale(what + std::string(report_.string(name)) + "=0");
        if (change) out.push_back({std::move(*change), static_cast<double>(time) / iterations});
      }
    };
    add_scaled("kernel:", kernels_);
    add_scaled("operator:", operators_);
    for (const auto& [pattern, time] : named_) {
      Result<ChangeRequest> change = read_scale("range:" + pattern + "=0");
      if (change) out.push_back({std::move(*change), static_cast<double>(time) / iterations});
    }
    for (const auto& [direction, time] : copies_) {
      Result<ChangeRequest> change = read_overlap("copy:" + std::string(direction));
      if (change) out.push_back({std::move(*change), static_cast<double>(time) / iterations});
    }
    if (waits_ > 0) out.push_back({*read_remove("sync"), static_cast<double>(total_) / iterations});
    out.push_back({launch_cost(0), static_cast<double>(total_) / iterations});
    std::ranges::stable_sort(out, [](const Candidate& a, const Candidate& b) { return a.on_path > b.on_path; });
    return out;
  }

 private:
  void add(const replay::Piece& piece) {
    const std::int64_t time = piece.end - piece.start;
    total_ += time;
    const replay::Node& node = run_.graph.nodes[piece.node];
    if (piece.kind == replay::EdgeKind::kWait && node.kind == NodeKind::kCall) ++waits_;
    if (node.kind == NodeKind::kMark) return;
    Row call = kNone;
    if (node.kind == NodeKind::kCall) {
      call = node.row;
    } else if (node.kind == NodeKind::kKernel || node.kind == NodeKind::kCollective) {
      call = report_.kernels->call[node.row];
      if (piece.part == replay::Part::kKernel && report_.kernels->short_name.present())
        kernels_[report_.kernels->short_name[node.row]] += time;
    } else if (node.kind == NodeKind::kCopy) {
      call = report_.copies->call[node.row];
      if (report_.copies->direction.present()) copies_[direction_name(report_.copies->direction[node.row])] += time;
    }
    if (call < 0) return;
    add_range(call, time);
    if (piece.part == replay::Part::kKernel) add_operator(call, time);
  }

  /// The outermost range inside the iteration.
  void add_range(Row call, std::int64_t time) {
    if (report_.ranges == nullptr) return;
    const std::int64_t start = report_.calls->start[call];
    const std::uint32_t process = report_.threads->process[report_.calls->thread[call]];
    if (ranges_.empty()) collect_ranges();
    const auto& of = ranges_[process];
    const auto after = std::ranges::upper_bound(of, start, {}, &PlacedRange::start);
    if (after != of.begin() && std::prev(after)->end >= start) named_[std::prev(after)->pattern] += time;
  }

  struct PlacedRange {
    std::int64_t start, end;
    std::string pattern;  ///< ranges of one kind change together
  };

  /// Ranges directly inside an iteration; without iterations the outermost ranges.
  void collect_ranges() {
    const RangeTable& ranges = *report_.ranges;
    for (Row r = 0; r < static_cast<Row>(ranges.rows); ++r) {
      if (run_.whole ? ranges.parent[r] >= 0 : ranges.parent[r] < 0 || !is_iteration(ranges.parent[r])) continue;
      ranges_[report_.threads->process[ranges.thread[r]]].push_back(
          {ranges.start[r], ranges.end[r], folded_name(report_.string(ranges.name[r]))});
    }
    ranges_.try_emplace(kNoProcess);
  }

  [[nodiscard]] bool is_iteration(Row range) const {
    const IterationTable& iterations = *report_.iterations;
    const auto starts = std::span(iterations.start.begin(), iterations.start.end());
    const auto at = std::ranges::lower_bound(starts, report_.ranges->start[range]);
    return at != starts.end() && *at == report_.ranges->start[range] &&
           iterations.end[static_cast<std::size_t>(at - starts.begin())] == report_.ranges->end[range];
  }

  /// The outermost operator of the launch.
  void add_operator(Row call, std::int64_t time) {
    if (report_.ops == nullptr || !report_.calls->op.present()) return;
    Row outer = kNone;
    for (Row op = report_.calls->op[call]; op >= 0; op = report_.ops->parent[op]) {
      if (report_.ops->kind[op] == OpKind::kOperator) outer = op;
    }
    if (outer >= 0) operators_[report_.ops->name[outer]] += time;
  }

  static constexpr std::uint32_t kNoProcess = 0xFFFFFFFFU;
  const Run& run_;
  const Report& report_;
  using Times = std::map<StringId, std::int64_t>;
  Times kernels_, operators_;
  std::map<std::string, std::int64_t> named_;
  std::map<std::string_view, std::int64_t> copies_;
  std::map<std::uint32_t, std::vector<PlacedRange>> ranges_;
  std::int64_t total_ = 0;
  std::size_t waits_ = 0;
};

}  // namespace

std::vector<Candidate> candidates(const Run& run) { return PathNames(run).candidates(); }

}  // namespace assay::whatif
