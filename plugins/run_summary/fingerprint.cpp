#include "fingerprint.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "hash.hpp"

namespace assay::summary {
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

std::string syncs_part(const CallSummary& calls, std::int64_t iterations) {
  std::string out;
  for (std::size_t s = 0; s < kSyncNames.size(); ++s) {
    if (calls.syncs[s].count == 0) continue;
    out +=
        (out.empty() ? "" : ",") + std::string(kSyncNames[s]) + ':' + per_iteration(calls.syncs[s].count, iterations);
  }
  return out;
}

std::int64_t sets_inside(const SetTable* sets) {
  if (sets == nullptr) return 0;
  const auto membership = sets->membership.view();
  return std::count(membership.begin(), membership.end(), Membership::kInside);
}

}  // namespace

bool can_fingerprint(const Report& report) {
  const KernelTable* k = report.kernels;
  const CopyTable* c = report.copies;
  const bool kernels =
      k == nullptr || (k->name.present() && k->grid_x.present() && k->grid_y.present() && k->grid_z.present() &&
                       k->block_x.present() && k->block_y.present() && k->block_z.present());
  return kernels && (c == nullptr || (c->bytes.present() && c->direction.present()));
}

std::string fingerprint(const Report& report, const CallSummary& calls, std::int64_t iterations) {
  return "copies=" + copies_part(report.copies, iterations) + ";kernels=" + kernels_part(report, iterations) +
         ";sets=" + per_iteration(sets_inside(report.sets), iterations) + ";syncs=" + syncs_part(calls, iterations) +
         ";graph_launches=" + per_iteration(calls.graph_launches, iterations) +
         ";per=" + (iterations > 0 ? "iteration" : "window");
}

}  // namespace assay::summary
