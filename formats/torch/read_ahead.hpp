// Reads a source of bytes on a thread of its own while earlier data is processed.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::load {

/// Reads at most kBlocks blocks ahead of the consumer, which bounds the memory for any source.
class ReadAhead {
 public:
  /// Fills at most `room` bytes; returns 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t room)>;

  /// Throws std::system_error if no thread can be started; `source` has not been called then.
  explicit ReadAhead(const Source& source);
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// As the source, including its exceptions; returns less than `room` if no more is available yet. After it returned
  /// 0, everything else the source wrote is visible.
  std::size_t read(char* to, std::size_t room);

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 20, kBlocks = 8;
  struct Block {
    std::vector<char> bytes;
    std::size_t size = 0;
  };
  void fill(const std::stop_token& stop);
  bool fill_one(Block& block);
  [[nodiscard]] bool wait_for_block();

  Source source_;
  std::array<Block, kBlocks> blocks_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t made_ = 0, taken_ = 0;  ///< blocks
  bool ended_ = false;
  std::exception_ptr thrown_;
  std::size_t at_ = 0;   ///< within the current block
  std::jthread thread_;  ///< last member, so that it is joined before the others are destroyed
};

}  // namespace assay::load
