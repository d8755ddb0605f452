// Byte sequences stored once and identified by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::pickles {

/// Equal byte sequences (texts, frames, stacks) get equal numbers. Number 0 is the empty sequence.
class Interner {
 public:
  Interner() { intern({}); }

  /// Number of `bytes`, which are copied on first use. At most 2^32 - 1 sequences.
  std::uint32_t intern(std::string_view bytes);
  [[nodiscard]] std::string_view at(std::uint32_t number) const {
    return std::string_view(bytes_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size() - 1); }
  /// Memory held.
  [[nodiscard]] std::size_t bytes() const { return bytes_.capacity() + begins_.capacity() * 8 + slots_.capacity() * 8; }

 private:
  /// The number and half of the hash, which tells most unequal sequences apart without reading them.
  struct Slot {
    std::uint32_t hash = 0, number = kFree;
  };
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;

  void grow();

  std::string bytes_;
  std::vector<std::uint64_t> begins_ = {0};
  std::vector<Slot> slots_ = std::vector<Slot>(64);
};

}  // namespace assay::pickles
