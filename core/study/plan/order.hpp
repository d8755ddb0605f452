// Orders analyzers for `conclude`.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace assay {

/// An analyzer and those it reads from.
struct OrderNode {
  std::string id;
  std::set<std::size_t> after;  ///< indices of nodes that come first; never its own
};

/// Indices such that every node comes after those it reads from; among candidates the smallest id is next. On a cycle
/// `order` is empty and `cycle` names it: "a -> b -> a", each read by the next.
struct Order {
  std::vector<std::size_t> order;
  std::string cycle;
};
Order order_of(const std::vector<OrderNode>& nodes);

}  // namespace assay
