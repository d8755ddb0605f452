// Matches items of both sides: first by identity, then by position in the step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "side.hpp"

namespace assay::difference {

enum class Match : std::uint8_t {
  kSame,           ///< same name, shape and place in the program
  kOtherShape,     ///< other grid, block or bytes
  kOtherTemplate,  ///< other template arguments
  kMoved,          ///< launched at another place in the program
  kNew,
  kGone,
};

constexpr std::string_view match_name(Match match) {
  constexpr std::string_view names[] = {"same", "other shape", "other template", "moved", "new", "gone"};
  return names[static_cast<std::size_t>(match)];
}

inline constexpr std::uint32_t kNoItem = static_cast<std::uint32_t>(-1);

/// One item with its indices in Side::items; kNoItem: missing on that side.
struct AlignedItem {
  Match match = Match::kSame;
  std::uint32_t before = kNoItem, after = kNoItem;
  std::uint32_t change = 0;  ///< place in Alignment::changes
};

/// Rows that changed together: what replaced what disappeared.
struct Change {
  std::vector<std::uint32_t> rows;  ///< of Alignment::rows
  bool replaced = false;            ///< some items disappeared and others appeared
};

/// Shares of a side's kernel time.
struct Share {
  double partner = 1;  ///< has a partner
  double place = 1;    ///< has a partner or was replaced by another kernel at the same place
};

struct Alignment {
  std::vector<AlignedItem> rows;
  std::vector<Change> changes;  ///< each row belongs to one change
  Share before, after;

  [[nodiscard]] double aligned() const { return std::min(before.partner, after.partner); }
};

Alignment align(const Side& before, const Side& after);

}  // namespace assay::difference
