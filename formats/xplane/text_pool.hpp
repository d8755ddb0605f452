// The texts of a file by number, each stored once.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::xplane {

/// Number of a text; 0: empty.
using TextId = std::uint32_t;

class TextPool {
 public:
  TextPool() { add({}); }

  /// Number of a text in the file; the pool refers to it.
  TextId add(std::string_view text) {
    const auto [at, fresh] = numbers_.try_emplace(text, static_cast<TextId>(texts_.size()));
    if (fresh) texts_.push_back(text);
    return at->second;
  }
  /// Number of a text that is not in the file.
  TextId keep(std::string text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    return add(made_.emplace_back(std::move(text)));
  }
  [[nodiscard]] std::string_view operator[](TextId id) const { return texts_[id]; }
  [[nodiscard]] const std::vector<std::string_view>& all() const { return texts_; }

 private:
  std::unordered_map<std::string_view, TextId> numbers_;
  std::vector<std::string_view> texts_;
  std::deque<std::string> made_;
};

}  // namespace assay::xplane
