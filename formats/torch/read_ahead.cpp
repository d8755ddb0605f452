#include "formats/torch/read_ahead.hpp"

#include <algorithm>
#include <cstring>

namespace assay::load {

ReadAhead::ReadAhead(const Source& source)
    : source_(source), thread_([this](const std::stop_token& stop) { fill(stop); }) {}

void ReadAhead::fill(const std::stop_token& stop) {
  for (bool more = true; more;) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return made_ - taken_ < kBlocks; })) return;
    Block& block = blocks_[made_ % kBlocks];
    lock.unlock();
    more = fill_one(block);
    lock.lock();
    more ? void(++made_) : void(ended_ = true);
    changed_.notify_all();
  }
}

/// False at the end.
bool ReadAhead::fill_one(Block& block) {
  try {
    block.bytes.resize(kBlock);
    block.size = source_(block.bytes.data(), kBlock);
    return block.size > 0;
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

/// False at the end.
bool ReadAhead::wait_for_block() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return made_ > taken_ || ended_; });
  if (made_ > taken_) return true;
  if (thrown_) std::rethrow_exception(thrown_);
  return false;
}

std::size_t ReadAhead::read(char* to, std::size_t room) {
  std::size_t got = 0;
  do {
    if (room == 0 || !wait_for_block()) return got;
    const Block& block = blocks_[taken_ % kBlocks];
    const std::size_t part = std::min(room - got, block.size - at_);
    std::memcpy(to + got, block.bytes.data() + at_, part);
    got += part;
    at_ += part;
    if (at_ < block.size) return got;
    at_ = 0;
    const std::scoped_lock lock(mutex_);
    ++taken_;
    changed_.notify_all();
    if (made_ == taken_) return got;
  } while (got < room);
  return got;
}

}  // namespace assay::load
