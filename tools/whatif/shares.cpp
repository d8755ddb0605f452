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
    std::ranges::stable_sort(out, [](const Candidate& a, const Candidate& b) { return a.on_path > b.on_path; });
    return out;
  }

 private:
  void add(const replay::Piece& piece) {
    const std::int64_t time = piece.end - piece.start;
    const replay::Node& node = run_.graph.nodes[piece.node];
    if (piece.part != replay::Part::kKernel) return;
    if (node.kind != NodeKind::kKernel && node.kind != NodeKind::kCollective) return;
    if (report_.kernels->short_name.present()) kernels_[report_.kernels->short_name[node.row]] += time;
    if (const Row call = report_.kernels->call[node.row]; call >= 0) add_operator(call, time);
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

  const Run& run_;
  const Report& report_;
  using Times = std::map<StringId, std::int64_t>;
  Times kernels_, operators_;
};

}  // namespace

std::vector<Candidate> candidates(const Run& run) { return PathNames(run).candidates(); }

}  // namespace assay::whatif
