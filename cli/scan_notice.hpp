// Shows the progress of a folder scan on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace assay {

/// While alive, shows the progress of a folder scan that takes longer than 2 s on standard error, if that is a
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

/// Text of the notice: `done` entries found, or `done` of `all` files inspected.
std::string scan_line(std::size_t done, std::size_t all);

}  // namespace assay
