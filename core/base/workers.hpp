// Work shared by threads of our own, because what a pool in an uninstrumented library hands over is invisible to the
// thread sanitizer, which then cannot vouch for the work.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {

/// How many files this process may still open (`ulimit -n`, less those that are open).
inline std::size_t files_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return SIZE_MAX;
  std::error_code failed;
  const std::filesystem::directory_iterator listed("/proc/self/fd", failed);
  if (failed == std::errc::too_many_files_open) return 0;
  constexpr std::size_t kUnknown = 16;  // without /proc
  const std::size_t open = failed ? kUnknown : static_cast<std::size_t>(std::distance(begin(listed), end(listed)));
  return limit.rlim_cur > open ? limit.rlim_cur - open : 0;
}

/// `asked` workers (0: one a core), or fewer where so many could not all have their files open: a report that cannot be
/// opened for that alone would be missing from every answer.
inline std::size_t workers_of(std::size_t asked) {
  // A database by our own reader and by SQLite with its two files beside it, an entry of the cache, an isolated
  // analyzer's pipe; and once: a library that is loaded, folders that are listed, outputs.
  constexpr std::size_t kOfAWorker = 8, kOfAll = 8;
  const std::size_t most = asked != 0 ? asked : std::max(1U, std::thread::hardware_concurrency()), left = files_left();
  return std::min(most, left > kOfAll + kOfAWorker ? (left - kOfAll) / kOfAWorker : 1);
}

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

/// Calls work(0) .. work(count - 1), each once and in this order, on up to `workers` threads (see workers_of), this
/// one among them. When all have ended, throws what the first of them threw that threw.
template <class Work>
void for_each_on_workers(std::size_t count, std::size_t workers, const Work& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next{0};
  on_workers(std::min(workers_of(workers), count), [&] {
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
