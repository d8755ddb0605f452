// Texts and sparse ids made dense.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/report.hpp"

namespace assay::load {

/// Texts, each once, numbered in the order in which they came; 0 is the empty text.
class StringPool {
 public:
  StringPool() { intern(""); }
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;

  StringId intern(std::string_view text);
  [[nodiscard]] std::optional<StringId> find(std::string_view text) const;
  [[nodiscard]] std::span<const Str> all() const { return views_; }
  [[nodiscard]] std::string_view operator[](StringId id) const { return views_[id]; }
  [[nodiscard]] std::size_t bytes() const { return text_bytes_ + views_.capacity() * sizeof(Str); }

 private:
  std::deque<std::string> texts_;  // a deque: the views stay valid while it grows
  std::vector<Str> views_;
  std::unordered_map<std::string_view, StringId> ids_;
  std::size_t text_bytes_ = 0;
};

/// Integers of any size, each once, numbered in the order in which they came.
class KeyInterner {
 public:
  std::uint32_t intern(std::int64_t key) {
    if (!keys_.empty() && key == keys_[last_]) return last_;  // neighbours mostly agree
    return last_ = look_up(key);
  }
  [[nodiscard]] std::span<const std::int64_t> keys() const { return keys_; }
  /// The number of `key`, if it was ever interned.
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
