// A source of bytes that is read on a thread of its own while what it gave is worked on.
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

/// At most kBlocks blocks ahead of whoever takes them: it holds no more, however long the source is.
class ReadAhead {
 public:
  /// Fills at most `room` bytes; 0 at the end.
  using Source = std::function<std::size_t(char* to, std::size_t room)>;

  /// Throws std::system_error where the system has no thread for it; `source` is not asked by then.
  explicit ReadAhead(const Source& source);
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// As the source, and throws what it threw; less than there is room for where more is not there yet. All that the
  /// source wrote elsewhere is seen once this gave 0.
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
  std::size_t at_ = 0;   ///< in the block that is being taken
  std::jthread thread_;  ///< last: it ends before what it works on
};

}  // namespace assay::load
