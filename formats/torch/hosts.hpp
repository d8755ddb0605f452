// Processes and threads by their pid and tid in a trace.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "assay/format.hpp"
#include "load/clean.hpp"

namespace assay::load {

/// Pids and tids are numbers, quoted numbers or words. A word is a process or thread of its own with unknown id
/// (kNone). In a merged trace of several ranks "[TP01-DP00] 83" is process 83 of rank "[TP01-DP00]".
class Hosts {
 public:
  explicit Hosts(TableSink& out) : out_(out) {}
  /// Row of the thread; tokens as in Event.
  std::uint32_t thread(std::string_view process, std::string_view thread);
  /// Number of the rank of a merged trace in a process token, from 0; kUnknown: none.
  std::uint32_t rank(std::string_view process);
  /// Whether process and thread are numbers.
  [[nodiscard]] bool numbered(std::uint32_t thread) const { return numbered_[thread]; }
  [[nodiscard]] std::uint32_t process_of(std::uint32_t thread) const { return process_of_thread_[thread]; }
  /// Ranks by row of processes, of which there is one at least.
  [[nodiscard]] const std::vector<std::uint32_t>& ranks();

 private:
  std::uint32_t look_up(std::string_view process, std::string_view thread);

  TableSink& out_;
  std::map<std::string, std::uint32_t, std::less<>> processes_, ranks_;
  std::vector<std::uint32_t> rank_of_process_, process_of_thread_;
  std::vector<bool> process_numbered_, numbered_;  ///< by process, by thread
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> rows_;
  std::string last_process_, last_thread_;
  std::uint32_t last_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace assay::load
