#include "plan/order.hpp"

#include <algorithm>

namespace assay {
namespace {

/// A cycle among the nodes that could not be ordered: each waits for another of them, so walking back repeats.
std::string cycle_among(const std::vector<OrderNode>& nodes, const std::vector<bool>& placed) {
  const auto waits_for = [&](std::size_t node) {
    return *std::ranges::find_if(nodes[node].after, [&](std::size_t n) { return !placed[n]; });
  };
  std::vector<std::size_t> walk = {static_cast<std::size_t>(std::ranges::find(placed, false) - placed.begin())};
  auto repeated = walk.end();
  do {
    const std::size_t next = waits_for(walk.back());
    walk.push_back(next);
    repeated = std::find(walk.begin(), walk.end() - 1, next);
  } while (repeated == walk.end() - 1);
  std::string text;
  for (auto at = walk.end(); at != repeated; --at) text += (text.empty() ? "" : " -> ") + nodes[*(at - 1)].id;
  return text;
}

}  // namespace

Order order_of(const std::vector<OrderNode>& nodes) {
  Order result;
  std::vector<bool> placed(nodes.size(), false);
  while (result.order.size() < nodes.size()) {
    std::size_t best = nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool ready = !placed[i] && std::ranges::all_of(nodes[i].after, [&](std::size_t n) { return placed[n]; });
      if (ready && (best == nodes.size() || nodes[i].id < nodes[best].id)) best = i;
    }
    if (best == nodes.size()) return {{}, cycle_among(nodes, placed)};
    placed[best] = true;
    result.order.push_back(best);
  }
  return result;
}

}  // namespace assay
