#include "workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay {
namespace {

TEST(Workers, EveryPieceIsDoneOnceByAnyNumberOfThem) {
  for (const std::size_t workers : {0U, 1U, 2U, 7U, 100U}) {
    for (const std::size_t count : {0U, 1U, 2U, 50U}) {
      std::vector<std::atomic<int>> done(count);
      for_each_on_workers(count, workers, [&](std::size_t i) { ++done[i]; });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i].load(), 1) << workers << " " << count << " " << i;
    }
  }
}

TEST(Workers, OneWorkerKeepsTheOrderAndItsThread) {
  std::vector<std::size_t> order;
  for_each_on_workers(5, 1, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Workers, TheFirstToThrowIsToldWhenAllHaveEnded) {
  for (const std::size_t workers : {1U, 4U}) {
    std::vector<std::atomic<int>> done(20);
    try {
      for_each_on_workers(done.size(), workers, [&](std::size_t i) {
        ++done[i];
        if (i % 5 == 3) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "3");
    }
    for (const std::atomic<int>& one : done) EXPECT_EQ(one.load(), 1);
  }
}

}  // namespace
}  // namespace assay
