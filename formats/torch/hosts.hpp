// Processes and threads by their pid and tid in a trace.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "load/clean.hpp"
#include "load/store.hpp"

namespace assay::load {

/// Pids and tids are numbers, quoted numbers or words. A word is a process or thread of its own with unknown id
/// (kNone). In a merged trace of several ranks "[TP01-DP00] 83" is process 83 of rank "[TP01-DP00]".
class Hosts {
 public:
  explicit Hosts(Threads& threads) : threads_(threads) {}
  /// Row of the thread; tokens as in Event.
  std::uint32_t thread(std::string_view process, std::string_view thread);
  /// Number of the rank of a merged trace in a process token, from 0; kUnknown: none.
  std::uint32_t rank(std::string_view process);
  /// By row of processes.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rank_of_process_; }

 private:
  std::uint32_t look_up(std::string_view process, std::string_view thread);

  Threads& threads_;
  std::map<std::string, std::uint32_t, std::less<>> processes_, ranks_;
  std::vector<std::uint32_t> rank_of_process_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> rows_;
  std::string last_process_, last_thread_;
  std::uint32_t last_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace assay::load
