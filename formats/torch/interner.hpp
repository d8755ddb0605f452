// Maps names in a trace to ids of the host, processing each name once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/format.hpp"

namespace assay::load {

/// A cache in front of TableSink::intern: nearly every event repeats a name. The hash reads eight bytes at a time.
class NameInterner {
 public:
  explicit NameInterner(TableSink& out);
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

  TableSink& out_;
  std::uint64_t seed_;  ///< random, so that a file cannot make its names collide
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace assay::load
