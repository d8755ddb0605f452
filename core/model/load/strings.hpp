// Maps texts and sparse ids to dense numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::load {

/// Distinct texts, numbered in order of arrival; 0 is the empty text.
class StringPool {
 public:
  StringPool() { intern(""); }
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;

  StringId intern(std::string_view text);
  [[nodiscard]] std::optional<StringId> find(std::string_view text) const;
  [[nodiscard]] std::span<const Str> all() const { return views_; }
  [[nodiscard]] std::string_view operator[](StringId id) const { return views_[id]; }
  [[nodiscard]] std::size_t bytes() const {
    return chunk_bytes_ + views_.capacity() * sizeof(Str) + slots_.capacity() * sizeof(Slot);
  }

 private:
  /// Of open addressing.
  struct Slot {
    StringId next_id = 0;    ///< number of the text + 1; 0: free
    std::uint32_t hash = 0;  ///< low bits; avoids most comparisons and all rehashing
  };
  [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
  std::string_view copy(std::string_view text);
  void grow();

  std::vector<std::unique_ptr<char[]>> chunks_;  ///< one allocation for many texts: an export may have millions
  char* free_ = nullptr;
  std::size_t left_ = 0, chunk_bytes_ = 0;
  std::vector<Str> views_;
  std::vector<Slot> slots_;
};

/// Distinct integers of any size, numbered in order of arrival.
class KeyInterner {
 public:
  std::uint32_t intern(std::int64_t key) {
    if (!keys_.empty() && key == keys_[last_]) return last_;  // neighbours mostly agree
    return last_ = look_up(key);
  }
  [[nodiscard]] std::span<const std::int64_t> keys() const { return keys_; }
  /// Number of `key`, if it was interned.
  [[nodiscard]] std::optional<std::uint32_t> find(std::int64_t key) const;

 private:
  std::uint32_t look_up(std::int64_t key);
  [[nodiscard]] std::size_t slot_of(std::int64_t key) const;
  void grow();

  std::vector<std::int64_t> keys_;
  std::vector<std::uint32_t> slots_;  // open addressing; 0: free, else number + 1
  std::uint32_t last_ = 0;
};

}  // namespace assay::load
