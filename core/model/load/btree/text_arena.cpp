#include "load/btree/text_arena.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace assay::load::btree {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 16;
constexpr std::size_t kRecent = 4096;  // a power of two

}  // namespace

std::string_view TextArena::keep(std::string_view text) {
  if (text.empty()) return "";
  if (recent_.empty()) recent_.resize(kRecent);
  std::string_view& recent = recent_[std::hash<std::string_view>{}(text) & (kRecent - 1)];
  if (recent != text) recent = copy(text);
  return recent;
}

std::string_view TextArena::copy(std::string_view text) {
  if (text.size() > left_) {
    left_ = std::max(kChunkBytes, text.size());
    chunks_.push_back(std::make_unique<char[]>(left_));
    free_ = chunks_.back().get();
    bytes_ += left_;
  }
  std::memcpy(free_, text.data(), text.size());
  const std::string_view kept(free_, text.size());
  free_ += text.size();
  left_ -= text.size();
  return kept;
}

}  // namespace assay::load::btree
