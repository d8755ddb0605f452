// Processes and threads of a file that numbers both in one: bits 24 and up are the process (with its machine), the low
// 24 bits the thread.
#pragma once

#include <cstdint>
#include <optional>

#include "load/store.hpp"
#include "load/strings.hpp"

namespace assay::load {

class GlobalThreads : public Threads {
 public:
  std::uint32_t process(std::int64_t global_id) {
    const std::uint32_t row = processes_.intern(global_id >> 24);
    return row == process_count() ? add_process(global_id >> 24 & kIdBits) : row;
  }
  std::uint32_t thread(std::int64_t global_tid) {
    const std::uint32_t row = threads_.intern(global_tid);
    return row == thread_count() ? add_thread(process(global_tid), global_tid & kIdBits) : row;
  }
  /// The thread, if it was requested before.
  [[nodiscard]] std::optional<std::uint32_t> find_thread(std::int64_t global_tid) const {
    return threads_.find(global_tid);
  }

 private:
  static constexpr std::int64_t kIdBits = 0xFFFFFF;  // of both process and thread
  KeyInterner processes_, threads_;
};

}  // namespace assay::load
