// Says on a terminal how far a scan of folders is.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace assay {

/// While it lives, a scan of folders that takes more than 2 s says on standard error how far it is, if that is a
/// terminal.
class ScanNotice {
 public:
  ScanNotice();
  ~ScanNotice();
  ScanNotice(const ScanNotice&) = delete;
  ScanNotice& operator=(const ScanNotice&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  void show(std::size_t done, std::size_t all);
  void erase();
  Clock::time_point start_ = Clock::now(), last_ = start_;
  bool drawn_ = false;
  std::mutex mutex_;
};

/// The line of a scan that found so many entries, or looked at `done` of `all` files.
std::string scan_line(std::size_t done, std::size_t all);

}  // namespace assay
