// Texts copied out of page buffers, which are used again.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace assay::load::btree {

/// For one thread. The views handed out live as long as the arena, wherever it is moved.
class TextArena {
 public:
  /// A lasting copy of `text`. Never null. Equal texts close to each other share one copy, so that a repeated text
  /// costs no memory and whoever interns the views may compare addresses first.
  std::string_view keep(std::string_view text);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::string_view copy(std::string_view text);

  std::vector<std::unique_ptr<char[]>> chunks_;
  std::vector<std::string_view> recent_;  ///< by hash
  char* free_ = nullptr;
  std::size_t left_ = 0, bytes_ = 0;
};

}  // namespace assay::load::btree
