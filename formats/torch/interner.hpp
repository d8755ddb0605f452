// Maps names in a trace to ids of a StringPool, processing each name once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "load/strings.hpp"

namespace assay::load {

/// A cache in front of StringPool: nearly every event repeats a name. The hash reads eight bytes at a time.
class NameInterner {
 public:
  explicit NameInterner(StringPool& pool);
  /// `name`: the text between the quotes.
  StringId intern(std::string_view name);

 private:
  struct Slot {
    std::uint64_t hash = 0;  ///< 0: free
    StringId id = 0;
  };
  [[nodiscard]] std::uint64_t hash_of(std::string_view name) const;
  StringId look_up(std::string_view name);
  void grow();

  StringPool& pool_;
  std::uint64_t seed_;  ///< random, so that a file cannot make its names collide
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace assay::load
