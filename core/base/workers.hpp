// Runs work on threads of our own: what a pool in an uninstrumented library passes between threads is invisible to the
// thread sanitizer.
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

/// How many more files this process may open (`ulimit -n` minus those that are open).
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

/// `asked` workers (0: one per core), or fewer if not all of them could have their files open: a report that fails to
/// open only for that reason would be missing from the result.
inline std::size_t workers_of(std::size_t asked) {
  // Per worker: a database opened by our reader and by SQLite with two companion files, a cache entry, the pipe of an
  // isolated analyzer. Once: a library being loaded, folders being listed, outputs.
  constexpr std::size_t kOfAWorker = 8, kOfAll = 8;
  if (asked == 1) return 1;
  const std::size_t most = asked != 0 ? asked : std::max(1U, std::thread::hardware_concurrency()), left = files_left();
  return std::min(most, left > kOfAll + kOfAWorker ? (left - kOfAll) / kOfAWorker : 1);
}

/// Runs `work` on this thread and on `workers - 1` others, and waits for all.
template <class Work>
void on_workers(std::size_t workers, const Work& work) {
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < workers) others.emplace_back(work);
  } catch (const std::system_error&) {  // the system has no more threads; the existing ones do the work
  }
  work();
}

/// Calls work(0) .. work(count - 1) once each, started in this order, on up to `workers` threads (see workers_of)
/// including this one. Then rethrows the exception of the lowest index that threw, if any.
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
