#include "workers.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>

#include "support/test.hpp"

namespace assay::workers_test {

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

TEST(Workers, AreLimitedByTheirOpenFiles) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  if (before.rlim_max < 1024) GTEST_SKIP() << "not so many files may be open here";
  const auto workers_with = [&](rlim_t files, std::size_t asked) {
    const rlimit now{files, before.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &now), 0);
    const std::size_t left = files_left(), workers = workers_of(asked);
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_LE(left, files - std::min<rlim_t>(files, 3)) << "standard input and output are open";
    return workers;
  };
  EXPECT_EQ(workers_with(1024, 16), 16U);
  EXPECT_LT(workers_with(1024, 1000), 128U);
  EXPECT_GT(workers_with(1024, 1000), 100U);
  const std::size_t few = workers_with(64, 1000);
  EXPECT_GE(few, 4U);
  EXPECT_LE(few, 7U);
  for (const rlim_t files : {0U, 3U, 8U, 16U}) EXPECT_EQ(workers_with(files, 1000), 1U) << files;

  std::vector<int> open;  // what others hold is not there for workers
  while (open.size() < 30) open.push_back(dup(STDOUT_FILENO));
  EXPECT_LT(workers_with(64, 1000), few);
  for (const int one : open) close(one);
}

}  // namespace assay::workers_test
