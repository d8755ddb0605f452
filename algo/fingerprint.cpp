#include "algo/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "algo/fnv1a128.hpp"
#include "algo/sync_kinds.hpp"

namespace assay {
namespace {

/// Kernel name, grid x y z, block x y z.
using Shape = std::array<std::int32_t, 7>;

struct ShapeHash {
  std::size_t operator()(const Shape& shape) const noexcept {
    std::uint64_t h = 0;
    for (const std::int32_t part : shape) h = (h ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 32);
  }
};

/// Count per iteration, plus the remainder, which happened once per run independent of the number of iterations.
std::string per_iteration(std::int64_t count, std::int64_t iterations) {
  if (iterations == 0) return std::to_string(count);
  const std::int64_t once = count % iterations;
  return std::to_string(count / iterations) + (once == 0 ? "" : "+" + std::to_string(once));
}

std::string hash_of(const std::vector<std::string>& lines) {
  Fnv1a128 hash;
  for (const std::string& line : lines) {
    hash.add(line);
    hash.add("\n");
  }
  return hash.hex();
}

std::string kernels_part(const Report& report, std::int64_t iterations) {
  if (report.kernels == nullptr) return "0/0:" + hash_of({});
  const KernelTable& k = *report.kernels;
  std::unordered_map<Shape, std::int64_t, ShapeHash> counts;
  std::int64_t all = 0;
  for (std::size_t row = 0; row < k.rows; ++row) {
    if (k.membership[row] != Membership::kInside) continue;
    ++all;
    ++counts[Shape{static_cast<std::int32_t>(k.name[row]), k.grid_x[row], k.grid_y[row], k.grid_z[row], k.block_x[row],
                   k.block_y[row], k.block_z[row]}];
  }
  std::vector<std::string> lines;
  lines.reserve(counts.size());
  for (const auto& [shape, count] : counts) {
    std::string line(report.string(static_cast<StringId>(shape[0])));
    for (std::size_t i = 1; i < shape.size(); ++i) line += ' ' + std::to_string(shape[i]);
    lines.push_back(line + ' ' + per_iteration(count, iterations));
  }
  std::sort(lines.begin(), lines.end());
  return per_iteration(all, iterations) + "/" + std::to_string(lines.size()) + ":" + hash_of(lines);
}

std::string copies_part(const CopyTable* copies, std::int64_t iterations) {
  if (copies == nullptr) return {};
  std::vector<std::pair<std::string_view, std::int64_t>> all;
  for (std::size_t row = 0; row < copies->rows; ++row) {
    if (copies->membership[row] == Membership::kInside)
      all.emplace_back(direction_name(copies->direction[row]), copies->bytes[row]);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::string> distinct;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i;
    while (next < all.size() && all[next] == all[i]) ++next;
    distinct.push_back(std::string(all[i].first) + ':' + std::to_string(all[i].second) + '*' +
                       per_iteration(static_cast<std::int64_t>(next - i), iterations));
    i = next;
  }
  if (distinct.size() > kListedCopies) {
    return per_iteration(static_cast<std::int64_t>(all.size()), iterations) + "/" + std::to_string(distinct.size()) +
           ":" + hash_of(distinct);
  }
  std::string out;
  for (const std::string& line : distinct) out += (out.empty() ? "" : ",") + line;
  return out;
}

/// Calls of the window that wait, by sync_index, and that launch graphs.
struct CallCounts {
  std::array<std::int64_t, kSyncNames.size()> syncs{};
  std::int64_t graph_launches = 0;
};

CallCounts count_calls(const CallTable& calls) {
  CallCounts out;
  for (std::size_t row = 0; row < calls.rows; ++row) {
    if (calls.in_window[row] == 0) continue;
    if (calls.kind[row] == CallKind::kGraphLaunch) ++out.graph_launches;
    if (const int sync = sync_index(calls.kind[row]); sync >= 0) ++out.syncs[static_cast<std::size_t>(sync)];
  }
  return out;
}

std::string syncs_part(const CallCounts& calls, std::int64_t iterations) {
  std::string out;
  for (std::size_t s = 0; s < kSyncNames.size(); ++s) {
    if (calls.syncs[s] == 0) continue;
    out += (out.empty() ? "" : ",") + std::string(kSyncNames[s]) + ':' + per_iteration(calls.syncs[s], iterations);
  }
  return out;
}

template <class Table>
std::int64_t inside(const Table* table) {
  if (table == nullptr) return 0;
  const auto membership = table->membership.view();
  return std::count(membership.begin(), membership.end(), Membership::kInside);
}

/// Iterations that lie wholly inside a named window.
std::int64_t count_iterations(const Report& report) {
  if (report.iterations == nullptr) return 0;
  std::int64_t count = 0;
  const Window& window = *report.window;
  for (std::size_t row = 0; row < report.iterations->rows; ++row) {
    const bool cut = window.named != 0 && (report.iterations->start[row] < window.host_start ||
                                           report.iterations->end[row] > window.host_end);
    count += cut ? 0 : 1;
  }
  return count;
}

/// Calls that launched kernels.
std::unordered_set<Row> launching_calls(const KernelTable* kernels) {
  std::unordered_set<Row> calls;
  for (std::size_t row = 0; kernels != nullptr && row < kernels->rows; ++row) {
    if (kernels->call[row] >= 0) calls.insert(kernels->call[row]);
  }
  return calls;
}

/// Whether a graph launch of the window took time on the device and none of its kernels was traced.
bool graphs_hide_work(const Report& report) {
  if (report.graphs == nullptr || report.graphs->rows == 0) return false;
  const GraphTable& graphs = *report.graphs;
  const std::unordered_set<Row> traced = launching_calls(report.kernels);
  for (std::size_t row = 0; row < graphs.rows; ++row) {
    const bool takes_time =
        std::min(graphs.end[row], report.window->end) > std::max(graphs.start[row], report.window->start);
    if (graphs.membership[row] == Membership::kInside && takes_time && !traced.contains(graphs.call[row])) return true;
  }
  return false;
}

/// Whether graphs were launched, but neither traced as a whole nor by their nodes.
bool graphs_are_untraced(const Report& report, const CallCounts& calls) {
  if (report.graphs != nullptr || calls.graph_launches == 0) return false;
  const KernelTable* k = report.kernels;
  for (std::size_t row = 0; k != nullptr && row < k->rows; ++row) {
    const Row call = k->call[row];
    if (k->membership[row] == Membership::kInside && call >= 0 && report.calls->kind[call] == CallKind::kGraphLaunch)
      return false;
  }
  return true;
}

bool has_columns(const Report& report) {
  const KernelTable* k = report.kernels;
  const CopyTable* c = report.copies;
  const bool kernels =
      k == nullptr || (k->name.present() && k->grid_x.present() && k->grid_y.present() && k->grid_z.present() &&
                       k->block_x.present() && k->block_y.present() && k->block_z.present());
  return kernels && (c == nullptr || (c->bytes.present() && c->direction.present()));
}

}  // namespace

Fingerprint fingerprint_of(const Report& report) {
  constexpr std::string_view kUntraced = "whether graph launches hide work is unknown";
  if (report.calls == nullptr) return {{}, kUntraced};
  const CallCounts calls = count_calls(*report.calls);
  if (graphs_are_untraced(report, calls)) return {{}, kUntraced};
  if (graphs_hide_work(report)) return {{}, "graph launches hide what ran (graph.opaque_ratio > 0)"};
  const std::int64_t sets = inside(report.sets);
  if (inside(report.kernels) + inside(report.graphs) + inside(report.copies) + sets == 0)
    return {{}, "no GPU work in the window"};
  if (!has_columns(report)) return {{}, "kernel names, grids, blocks, copy sizes or directions were not exported"};
  const std::int64_t iterations = count_iterations(report);
  return {"copies=" + copies_part(report.copies, iterations) + ";kernels=" + kernels_part(report, iterations) +
              ";sets=" + per_iteration(sets, iterations) + ";syncs=" + syncs_part(calls, iterations) +
              ";graph_launches=" + per_iteration(calls.graph_launches, iterations) +
              ";per=" + (iterations > 0 ? "iteration" : "window"),
          {}};
}

}  // namespace assay
