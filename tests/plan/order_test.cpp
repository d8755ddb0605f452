#include "plan/order.hpp"

#include <random>

#include "support/test.hpp"

namespace assay::order_test {

TEST(Order, ProducersComeFirstAndThenTheSmallestId) {
  const Order order = order_of({{"z", {}}, {"a", {3}}, {"m", {}}, {"y", {}}});
  EXPECT_TRUE(equals(order.order, {2, 3, 1, 0}));
  EXPECT_TRUE(order.cycle.empty());
  EXPECT_TRUE(order_of({}).order.empty());
}

TEST(Order, ACycleIsNamedWithoutThoseThatOnlyHangOnIt) {
  const Order order = order_of({{"free", {}}, {"hangs", {2}}, {"b", {3}}, {"c", {2}}});
  EXPECT_TRUE(order.order.empty());
  EXPECT_TRUE(order.cycle == "b -> c -> b" || order.cycle == "c -> b -> c") << order.cycle;
}

TEST(Order, ALongerCycleIsWrittenFromProducerToReader) {
  // a reads c, b reads a, c reads b: a gives to b, b to c, c to a.
  const Order order = order_of({{"a", {2}}, {"b", {0}}, {"c", {1}}});
  EXPECT_TRUE(order.cycle == "a -> b -> c -> a" || order.cycle == "b -> c -> a -> b" ||
              order.cycle == "c -> a -> b -> c")
      << order.cycle;
}

TEST(Order, HoldsForRandomGraphsWithoutCycle) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<OrderNode> nodes;
    for (std::size_t i = 0; i < 12; ++i) {
      OrderNode node{std::string(1, static_cast<char>('a' + random() % 26)) + std::to_string(i), {}};
      for (std::size_t j = 0; j < i; ++j) {
        if (random() % 4 == 0) node.after.insert(j);
      }
      nodes.push_back(node);
    }
    const Order order = order_of(nodes);
    ASSERT_EQ(order.order.size(), nodes.size());
    std::vector<std::size_t> place(nodes.size());
    for (std::size_t at = 0; at < order.order.size(); ++at) place[order.order[at]] = at;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const std::size_t j : nodes[i].after) EXPECT_LT(place[j], place[i]);
    }
  }
}

}  // namespace assay::order_test
