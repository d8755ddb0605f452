// The order in which analyzers conclude.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace assay {

/// One analyzer and those it reads from.
struct OrderNode {
  std::string id;
  std::set<std::size_t> after;  ///< indices of nodes that come first; never its own
};

/// Indices in an order in which every node comes after those it reads from; of several possible ones the next is that
/// with the smallest id. When there is a cycle, `order` is empty and `cycle` names it: "a -> b -> a", each read by the
/// next.
struct Order {
  std::vector<std::size_t> order;
  std::string cycle;
};
Order order_of(const std::vector<OrderNode>& nodes);

}  // namespace assay
