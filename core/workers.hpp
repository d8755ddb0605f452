// Work shared by threads of our own, because what a pool in an uninstrumented library hands over is invisible to the
// thread sanitizer, which then cannot vouch for the work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {

/// Runs `work` on this thread and on `workers - 1` others, and waits for all.
template <class Work>
void on_workers(std::size_t workers, const Work& work) {
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < workers) others.emplace_back(work);
  } catch (const std::system_error&) {  // the system has no more threads: those that there are do it all
  }
  work();
}

/// Calls work(0) .. work(count - 1), each once and in this order, on up to `workers` threads (0: one a core), this one
/// among them. When all have ended, throws what the first of them threw that threw.
template <class Work>
void for_each_on_workers(std::size_t count, std::size_t workers, const Work& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next{0};
  const std::size_t most = workers != 0 ? workers : std::max(1U, std::thread::hardware_concurrency());
  on_workers(std::min(most, count), [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
}

}  // namespace assay
